# Reads to the end of the bot's output before it decides.

import sys

print(5, flush=True)
sys.exit(0 if "5" in sys.stdin.read().split() else 1)
