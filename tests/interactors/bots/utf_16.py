# Its output is UTF-16, as some shells of Windows write it.

import sys

sys.stdout.reconfigure(encoding="utf-16")
low, high = 1, int(input())
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply in ("=", "-1"):
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print("!", q, flush=True)
