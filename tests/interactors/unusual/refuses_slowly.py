# Says -1, and exits only a moment later, as a program does that still writes a log.

import sys
import time

print(5, flush=True)
sys.stdin.readline()
print(-1, flush=True)
time.sleep(0.2)
sys.exit(1)
