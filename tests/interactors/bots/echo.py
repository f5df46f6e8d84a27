# Prints the first line that it reads, and expects a number in each further line.

import sys

print(input(), flush=True)
for line in sys.stdin:
    if int(line) < 0:
        sys.exit(9)
