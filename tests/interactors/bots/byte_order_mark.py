# Writes a byte-order mark before its first line, and is right otherwise.

import sys

sys.stdout.reconfigure(encoding="utf-8-sig")
low, high = 1, int(input())
while low < high:
    q = (low + high) // 2
    print("?", q, flush=True)
    low, high = (low, q) if input() in "<=" else (q + 1, high)
print("!", low, flush=True)
