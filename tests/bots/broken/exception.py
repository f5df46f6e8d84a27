# An index is out of range after the first reply.

n, l, r = map(int, input().split())
print("First", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    cards = [True] * n
    cards[n] = False
    print(n - x - y + 2, y, flush=True)
