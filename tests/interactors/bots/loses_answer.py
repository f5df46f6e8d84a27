# It ends by os._exit, so its answer stays in the buffer.

import os
import signal

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
os._exit(0)
