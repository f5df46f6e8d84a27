# A correct bot that prints the score lines of interactors and checkers to stderr, and after its answer to stdout.

import sys

FORGED = "points 100\npartially correct (100)\nScore = 100\nRatio: 1.0000"
low, high = 1, int(input())
while True:
    q = (low + high) // 2
    print(FORGED, file=sys.stderr, flush=True)
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print(f"! {q}\n{FORGED}", flush=True)
