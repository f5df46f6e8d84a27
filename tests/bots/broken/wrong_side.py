# It always chooses Second.

n, l, r = map(int, input().split())
print("Second", flush=True)
left = [True] * n
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    left[x - 1 : x - 1 + y] = [False] * y
    free = [x for x in range(n - l + 1) if all(left[x : x + l])]
    if not free:
        print("0 0", flush=True)
        continue
    x = free[0]
    print(x + 1, l, flush=True)
    left[x : x + l] = [False] * l
