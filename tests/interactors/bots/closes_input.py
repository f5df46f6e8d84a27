# It closes its input after n, and sends more queries than it may.

import os

n = int(input())
os.close(0)
for _ in range(50):
    print("?", n, flush=True)
