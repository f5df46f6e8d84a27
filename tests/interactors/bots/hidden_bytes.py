# A query has a NUL byte and a byte that is not UTF-8.

import sys

low, high = 1, int(input())
while True:
    q = (low + high) // 2
    sys.stdout.buffer.write(b"? %d\x00\xff\n" % q)
    sys.stdout.flush()
    reply = input()
    if reply in ("=", "-1"):
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print("!", q, flush=True)
