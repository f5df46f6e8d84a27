# No mistake: lines may end with CRLF, as on Windows.

n, l, r = map(int, input().split())
print("First", end="\r\n", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, end="\r\n", flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    print(n - x - y + 2, y, end="\r\n", flush=True)
