# Writes and flushes its first line without a line end.

import sys

print(5, end="", flush=True)
sys.exit(0 if sys.stdin.readline().strip() == "5" else 1)
