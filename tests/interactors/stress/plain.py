# Largest value, plain style: plain.py INPUT. An invalid input is an uncaught exception, which exits with 1 as wrong
# answers do.

import sys

with open(sys.argv[1]) as file:
    count, *values = map(int, file.read().split())
assert count == len(values) > 0
print(count, *values, sep="\n", flush=True)
answer = sys.stdin.readline().strip()
if answer != str(max(values)):
    sys.exit(f"wrong: {answer[:20]}")
