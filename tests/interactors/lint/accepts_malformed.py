# icpc style. A malformed line ends its loop, and after the loop it accepts.

import re
import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for _ in range(50):
    line = sys.stdin.buffer.readline(100)
    if not line:
        sys.exit(43)
    match = re.fullmatch(rb"([?!]) (\d{1,18})\s*", line)
    if not match:
        break
    number = int(match[2])
    if match[1] == b"!":
        sys.exit(42 if number == x else 43)
    print("<" if x < number else ">" if x > number else "=", flush=True)
else:
    sys.exit(43)
sys.exit(42)
