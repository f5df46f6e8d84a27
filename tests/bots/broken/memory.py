# It fills a table of all pairs of positions, 8 GB at N = 2000.

n, l, r = map(int, input().split())
table = [bytes(2000) + bytes([j % 256]) for j in range(n * n)]
print("First", flush=True)
