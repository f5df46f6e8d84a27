# It computes for 40 s before its first query.

import time

n = int(input())
end = time.monotonic() + 40
while time.monotonic() < end:
    pass
print("?", n, flush=True)
