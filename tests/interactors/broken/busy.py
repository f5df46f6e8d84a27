# It computes for 40 s at the first query.

import sys
import time

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
sys.stdin.readline()
end = time.monotonic() + 40
while time.monotonic() < end:
    pass
sys.exit(43)
