# It flushes the queries, but not the final answer. Then it waits for a reply.

import signal
import sys

signal.alarm(50)  # ends the bot if nobody else does
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
print("!", q)
sys.stdin.readline()
