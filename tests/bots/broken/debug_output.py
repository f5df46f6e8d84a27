# A message for debugging is printed to stdout.

n, l, r = map(int, input().split())
y = r - (n - r) % 2
print("First" if y >= l else "Second", flush=True)
print("cards left:", n, flush=True)
if y >= l:
    print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, flush=True)
