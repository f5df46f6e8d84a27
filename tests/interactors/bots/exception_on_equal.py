# It has no entry for "=", and crashes when it has found the number.

low, high = 1, int(input())
while low <= high:
    q = (low + high) // 2
    print("?", q, flush=True)
    sign = {"<": -1, ">": 1}[input()]
    low, high = (low, q - 1) if sign < 0 else (q + 1, high)
print("!", q, flush=True)
