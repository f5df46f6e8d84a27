# It takes the end of the range for exclusive, and never finds n.

low, high = 1, int(input())
while high - low > 1:
    q = (low + high) // 2
    print("?", q, flush=True)
    if input() == "<":
        high = q
    else:
        low = q
print("!", high - 1, flush=True)
