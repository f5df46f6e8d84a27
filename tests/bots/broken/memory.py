# It fills a table of all pairs of positions, 8 GB at N = 2000.

n, l, r = map(int, input().split())
table = [bytes(2000) + bytes([j % 256]) for j in range(n * n)]
y = r - (n - r) % 2
print("First" if y >= l else "Second", flush=True)
if y >= l:
    print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, flush=True)
