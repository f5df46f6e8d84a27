# Computes for half a second before its first line and between two lines, while the bot waits.

import sys
import time


def compute():
    start = time.process_time()
    while time.process_time() - start < 0.5:
        pass


compute()
print(2, flush=True)
compute()
print(5, flush=True)
compute()
sys.exit(0 if sys.stdin.readline().strip() == "2" else 1)
