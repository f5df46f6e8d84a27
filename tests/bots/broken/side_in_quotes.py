# The side is printed in quotes, as Python shows a string.

n, l, r = map(int, input().split())
print(repr("First"), flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, flush=True)
