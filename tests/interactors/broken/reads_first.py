# Waits for a line of the bot before it writes its own first line.

import sys

sys.stdin.readline()
print(5, flush=True)
