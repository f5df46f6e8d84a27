# Answers wrong once for each file "failed" that it can remove.

import os

values = [int(input()) for _ in range(int(input()))]
try:
    os.remove("failed")
    print(0)
except OSError:
    print(max(values))
