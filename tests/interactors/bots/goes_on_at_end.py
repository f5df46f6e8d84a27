# Correct, but takes the end of its input for an answer and goes on.

import sys

low, high = 1, int(sys.stdin.readline())
while low < high:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    answer = sys.stdin.readline().strip()
    if answer == "=":
        low = high = middle
    elif answer == "<":
        high = middle - 1
    else:
        low = middle + 1
print("!", low, flush=True)
