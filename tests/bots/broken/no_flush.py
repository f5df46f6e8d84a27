# The output is not flushed.

import sys

n, l, r = map(int, sys.stdin.readline().split())
print("First")
y = 2 - n % 2
print((n - y) // 2 + 1, y)
while True:
    x, y = map(int, sys.stdin.readline().split())
    if x <= 0:
        break
    print(n - x - y + 2, y)
