# Largest value, plain style: plain.py INPUT. An invalid input raises an uncaught exception, whose exit code is 1
# like that of a wrong answer.

import sys

with open(sys.argv[1]) as file:
    count, *values = map(int, file.read().split())
assert count == len(values) > 0
print(count, *values, sep="\n", flush=True)
answer = sys.stdin.readline().strip()
if answer != str(max(values)):
    sys.exit(f"wrong: {answer[:20]}")
