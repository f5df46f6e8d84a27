# It reads each number of the header from a separate line.

n, l, r = int(input()), int(input()), int(input())
print("First", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, flush=True)
