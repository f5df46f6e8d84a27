# Waits for a line of the bot before it writes the first one.

import sys

sys.stdin.readline()
print(5, flush=True)
