# It reads the header in another order: L, N, R.

l, n, r = map(int, input().split())
print("First", flush=True)
y = r
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, flush=True)
