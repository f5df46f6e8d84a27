# It exits with code 1 after a game that it has won.

import sys

n, l, r = map(int, input().split())
print("First", flush=True)
y = 2 - n % 2
print((n - y) // 2 + 1, y, flush=True)
while True:
    x, y = map(int, input().split())
    if x <= 0:
        sys.exit("the game is over")
    print(n - x - y + 2, y, flush=True)
