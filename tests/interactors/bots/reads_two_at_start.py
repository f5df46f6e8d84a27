# It expects two lines at the start, as if a count of tests came first, but there is one.

import signal

signal.alarm(50)  # ends the bot if nobody else does
tests = int(input())
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
