# Writes -1, and exits 0.2 s later, like a program that still writes a log.

import sys
import time

print(5, flush=True)
sys.stdin.readline()
print(-1, flush=True)
time.sleep(0.2)
sys.exit(1)
