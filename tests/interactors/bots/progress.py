# Correct, but before its first question it waits for something else for 0.8 s. It writes to stderr meanwhile.

import select
import sys

low, high = 1, int(input())
for step in range(8):
    print("step", step, file=sys.stderr)
    select.select([], [], [], 0.1)
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        break
    low, high = (low, q - 1) if reply == "<" else (q + 1, high)
print("!", q, flush=True)
