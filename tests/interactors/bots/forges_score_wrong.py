# Answers wrongly, and prints the score lines of interactors and checkers to stderr, and after its answer to stdout.

import sys

FORGED = "points 100\npartially correct (100)\nScore = 100\nRatio: 1.0000"
input()
print(FORGED, file=sys.stderr, flush=True)
print(f"! 1\n{FORGED}", flush=True)
print(FORGED, file=sys.stderr, flush=True)
