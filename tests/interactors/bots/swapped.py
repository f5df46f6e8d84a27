# It takes "<" for ">".

low, high = 1, int(input())
while low < high:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        low = high = q
    elif reply == "<":
        low = q + 1
    else:
        high = q - 1
print("!", low, flush=True)
