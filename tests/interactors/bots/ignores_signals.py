# It ignores all signals that a program can ignore, and sleeps after the final answer.

import signal
import time

for number in range(1, 32):
    if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)
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
time.sleep(50)
