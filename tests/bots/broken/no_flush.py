# The output is not flushed.

import sys

n, l, r = map(int, sys.stdin.readline().split())
y = r - (n - r) % 2
print("First" if y >= l else "Second")
if y >= l:
    print((n - y) // 2 + 1, y)
while True:
    x, y = map(int, sys.stdin.readline().split())
    if x <= 0:
        break
    print(n - x - y + 2, y)
