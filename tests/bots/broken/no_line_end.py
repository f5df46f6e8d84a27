# The side is printed and flushed, but its line does not end.

n, l, r = map(int, input().split())
print("First", end="", flush=True)
x, y = map(int, input().split())
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, flush=True)
