task, word = input().split()
if task == "encode":
    print(f"{int(word):b}".replace("0", "a").replace("1", "b"))
else:
    print(int(word.replace("a", "0").replace("b", "1"), 2))
