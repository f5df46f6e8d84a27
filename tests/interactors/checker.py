# The checker for --checker, testlib style: checker.py INPUT OUTPUT ANSWER. OUTPUT is what the interactor wrote.

import sys

MAX_QUERIES = 32

with open(sys.argv[2]) as file:
    lines = file.read().splitlines()
with open(sys.argv[3]) as file:
    answer = file.read().strip()
queries = sum(line.startswith("? ") for line in lines)
if lines[-1:] != [f"! {answer}"]:
    print(f"wrong answer the last line is not ! {answer}", file=sys.stderr)
    sys.exit(1)
if queries > MAX_QUERIES:
    print(f"wrong answer {queries} queries, the checker allows {MAX_QUERIES}", file=sys.stderr)
    sys.exit(1)
print(f"ok {queries} queries", file=sys.stderr)
