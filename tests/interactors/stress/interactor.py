# Largest value, style icpc: interactor.py INPUT. It sends n and n values, each on a line, and expects the largest one. It
# accepts with 42 and rejects with 43. It fails if the input is invalid.

import os
import sys

with open(sys.argv[1]) as file:
    count, *values = map(int, file.read().split())
if count != len(values) or not values:
    sys.exit("invalid input")
try:
    os.write(1, "".join(f"{number}\n" for number in [count, *values]).encode())
except OSError:
    pass  # the bot may have ended
answer = sys.stdin.readline().strip()
if answer != str(max(values)):
    print(f"wrong: {answer[:20]}", file=sys.stderr)
    sys.exit(43)
sys.exit(42)
