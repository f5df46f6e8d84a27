# Writes more than a pipe holds after the bot's first line.

import sys

print(5, flush=True)
sys.stdin.readline()
try:
    sys.stdout.write("x\n" * 300000)
    sys.stdout.flush()
except BrokenPipeError:
    pass
sys.exit(0)
