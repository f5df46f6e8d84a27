# It counts the numbers of the range, at most 100,000,000, before each query.

low, high = 1, int(input())
while True:
    sum(1 for _ in range(low, min(high, low + 100_000_000)))
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
