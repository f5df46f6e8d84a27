# icpc style. It allows any number of queries, and keeps them all.

import re
import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
lines = []
while line := sys.stdin.buffer.readline(100):
    lines.append(line)
    match = re.fullmatch(rb"([?!]) (\d{1,18})\s*", line)
    if not match:
        break
    number = int(match[2])
    if match[1] == b"!":
        sys.exit(42 if number == x else 43)
    print("<" if x < number else ">" if x > number else "=", flush=True)
sys.exit(43)
