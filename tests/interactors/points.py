# Hidden number, testlib style with points: points.py INPUT OUTPUT [ANSWER]. It exits with 7, and prints 100 points less
# 2 for each query.

import os
import sys

with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
os.write(1, f"{n}\n".encode())
queries = 0
for line in sys.stdin.buffer:
    mark, number = line.split()
    if mark == b"!" and int(number) == x and queries <= 50:
        print("points", 100 - 2 * queries, file=sys.stderr)
        sys.exit(7)
    if mark == b"!":
        break
    queries += 1
    os.write(1, b"<\n" if x < int(number) else b">\n" if x > int(number) else b"=\n")
print("wrong answer wrong number, too many queries or no answer", file=sys.stderr)
sys.exit(1)
