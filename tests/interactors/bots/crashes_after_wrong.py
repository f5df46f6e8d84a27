# Its first query is 0. It has no entry for the -1 that follows, and crashes.

low, high = 0, int(input())
q = 0
while True:
    print("?", q, flush=True)
    sign = {"<": -1, "=": 0, ">": 1}[input()]
    if sign == 0:
        break
    low, high = (low, q - 1) if sign < 0 else (q + 1, high)
    q = (low + high) // 2
print("!", q, flush=True)
