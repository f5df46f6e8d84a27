# It closes its output at the first query, and sleeps.

import os
import sys
import time

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
sys.stdin.readline()
os.close(1)
time.sleep(50)
os._exit(43)
