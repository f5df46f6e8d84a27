# It prints "0 0" although it can move.

n, l, r = map(int, input().split())
print("First", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(0, 0, flush=True)
