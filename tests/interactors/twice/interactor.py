"""Interactor INPUT OUTPUT ANSWER of the problem that `judge new interactor run-twice` writes, for either run. It hands
the bot the input, and writes the bot's line for the second run, or in the second run for the checker."""

import sys

with open(sys.argv[1]) as file:
    lines = file.read().split()
print(*lines, sep="\n", flush=True)
line = sys.stdin.readline().strip()
if lines[0] == "first" and (not 1 <= len(line) <= 30 or set(line) - set("ab")):
    sys.exit("not a word of at most 30 letters a and b")
with open(sys.argv[2], "w") as file:
    print(*(["second"] if lines[0] == "first" else []), line, sep="\n", file=file)
