#!/usr/bin/env python3
"""A faulty bot: it takes as many cards as it may from the left, and forgets what the judge has taken."""

n, l, r = map(int, input().split())
print("First", flush=True)
x = 1
while x + l - 1 <= n:
    y = min(r, n - x + 1)
    print(x, y, flush=True)
    x += y
    if input() in ("0 0", "-1 -1"):
        break
else:
    print("0 0", flush=True)
