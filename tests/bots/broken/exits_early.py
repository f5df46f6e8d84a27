# It exits after its first move.

n, l, r = map(int, input().split())
print("First", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
