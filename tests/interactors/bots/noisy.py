# Correct, but it writes 10 MB to stderr.

import sys

for _ in range(100):
    print(("?" * 99 + "\n") * 1000, end="", file=sys.stderr)
low, high = 1, int(input())
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print("!", q, flush=True)
