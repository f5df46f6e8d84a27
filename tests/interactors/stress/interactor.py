# Largest value, plain style: interactor.py INPUT. It sends n and n values, each on a line, and expects the largest one.
# For an invalid input it aborts.

import os
import sys

with open(sys.argv[1]) as file:
    count, *values = map(int, file.read().split())
if count != len(values) or not values:
    os.abort()
try:
    os.write(1, "".join(f"{number}\n" for number in [count, *values]).encode())
except OSError:
    pass  # the bot may have ended
answer = sys.stdin.readline().strip()
if answer != str(max(values)):
    sys.exit(f"wrong: {answer[:20]}")
