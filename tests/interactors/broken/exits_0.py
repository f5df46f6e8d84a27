# It exits with 0 instead of 42 when the final answer is right.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for line in sys.stdin:
    mark, number = line.split()
    if mark == "!":
        sys.exit(0 if int(number) == x else 43)
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
sys.exit(43)
