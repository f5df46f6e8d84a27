n = int(input())
print("?", n, flush=True)
if input() == "<":
    raise ValueError("the number is smaller")
print("!", n, flush=True)
