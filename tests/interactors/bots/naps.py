# Correct, but it sleeps for 0.15 s before each query. Only all sleeps together are longer than the idle limit.

import time

low, high = 1, int(input())
while True:
    time.sleep(0.15)
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
