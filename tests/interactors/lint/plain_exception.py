# plain style. A malformed line raises an exception, which exits with 1 like a rejection.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for _ in range(50):
    line = sys.stdin.buffer.readline(100)
    if not line:
        break
    mark, number = line.split()
    if mark == b"!":
        sys.exit(int(number) != x)
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
sys.exit(1)
