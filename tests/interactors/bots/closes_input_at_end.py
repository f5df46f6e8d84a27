# Correct, but it closes its input before the final answer.

import os

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
os.close(0)
print("!", q, flush=True)
