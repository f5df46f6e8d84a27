# Flushes its first line, but does not end it.

import sys

print(5, end="", flush=True)
sys.exit(0 if sys.stdin.readline().strip() == "5" else 1)
