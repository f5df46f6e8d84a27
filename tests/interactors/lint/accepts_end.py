# icpc style. It accepts a bot whose output ends before the final answer.

import re
import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for _ in range(50):
    line = sys.stdin.buffer.readline(100)
    if not line:
        sys.exit(42)
    match = re.fullmatch(rb"([?!]) (\d{1,18})\s*", line)
    if not match or match[1] == b"!" and int(match[2]) != x:
        break
    number = int(match[2])
    print("<" if x < number else ">" if x > number else "=", flush=True)
sys.exit(43)
