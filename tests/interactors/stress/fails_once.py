# Prints a wrong answer if it can remove the file "failed", so only once.

import os

values = [int(input()) for _ in range(int(input()))]
try:
    os.remove("failed")
    print(0)
except OSError:
    print(max(values))
