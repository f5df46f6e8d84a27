# icpc style. It chooses n and x at random, and ignores the input file.

import random
import re
import sys

n = random.randint(10**12, 10**13)
x = random.randint(1, n)
print(n, flush=True)
for _ in range(50):
    match = re.fullmatch(rb"([?!]) (\d{1,18})\s*", sys.stdin.buffer.readline(100))
    if not match:
        break
    number = int(match[2])
    if match[1] == b"!":
        sys.exit(42 if number == x else 43)
    print("<" if x < number else ">" if x > number else "=", flush=True)
sys.exit(43)
