# A loop does not end, because its counter never changes.

n, l, r = map(int, input().split())
print("First", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    left = n - y
    while left > 0:
        x = (x + y) % n
    print(n - x - y + 2, y, flush=True)
