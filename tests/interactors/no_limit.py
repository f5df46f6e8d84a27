# Hidden number without a limit on the number of queries, icpc style: no_limit.py INPUT ANSWER FEEDBACKDIR.

import os
import sys

with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
os.write(1, f"{n}\n".encode())
for line in sys.stdin.buffer:
    mark, number = line.split()
    if mark == b"!":
        sys.exit(42 if int(number) == x else 43)
    try:
        os.write(1, b"<\n" if x < int(number) else b">\n" if x > int(number) else b"=\n")
    except OSError:
        pass  # the bot may have closed its input
sys.exit(43)
