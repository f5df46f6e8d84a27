# Rejects the first line with -1, and waits for the end of the bot.

import sys

print(2, flush=True)
input()
print(-1, flush=True)
sys.stdin.read()
print("too many questions", file=sys.stderr)
sys.exit(1)
