# It does not use n, so the first query is outside the range. It ignores the -1 and crashes at the end of its input.

input()
low, high = 1, 10**9
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print("!", q, flush=True)
