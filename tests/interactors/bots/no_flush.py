# The output is not flushed. (input() would flush it, sys.stdin.readline() does not.)

import signal
import sys

signal.alarm(50)  # ends the bot if nobody else does
low, high = 1, int(sys.stdin.readline())
while True:
    q = (low + high) // 2
    print("?", q)
    sign = {"<": -1, "=": 0, ">": 1}[sys.stdin.readline().strip()]
    if sign == 0:
        break
    low, high = (low, q - 1) if sign < 0 else (q + 1, high)
print("!", q)
