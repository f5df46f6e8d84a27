# icpc style. It converts what it reads without a check, so a malformed line raises an exception.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for _ in range(50):
    line = sys.stdin.buffer.readline(100)
    if not line:
        break
    mark, number = line.split()
    if mark == b"!":
        sys.exit(42 if int(number) == x else 43)
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
sys.exit(43)
