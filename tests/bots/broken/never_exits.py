# It does not exit when the game is over.

import time

n, l, r = map(int, input().split())
y = r - (n - r) % 2
print("First" if y >= l else "Second", flush=True)
if y >= l:
    print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        time.sleep(100)
    print(n - x - y + 2, y, flush=True)
