# Its replies stay in a buffer, and it waits for the next query.

import signal
import sys

signal.alarm(50)  # ends the interactor if nobody else does
n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for line in sys.stdin:
    mark, number = line.split()
    if mark == "!":
        sys.exit(42 if int(number) == x else 43)
    print("<" if x < int(number) else ">" if x > int(number) else "=")
sys.exit(43)
