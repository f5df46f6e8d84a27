# Hidden number, ICPC style. It answers 100,000 queries, and so more than a pipe holds.

import sys

with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
print(n, flush=True)
for number_of_line, line in enumerate(sys.stdin.buffer):
    if number_of_line == 100_000:
        sys.exit(43)
    mark, _, number = line.strip().partition(b" ")
    if mark not in (b"?", b"!") or not (number.isdigit() and len(number) < 10):
        sys.exit(43)
    if mark == b"!":
        sys.exit(42 if int(number) == x else 43)
    try:
        print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
    except BrokenPipeError:
        sys.exit(43)
sys.exit(43)
