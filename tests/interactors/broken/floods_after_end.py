# Reads to the end of the bot's output, and then writes forever.

import sys

for line in sys.stdin:
    pass
while True:
    print("x" * 100000)
