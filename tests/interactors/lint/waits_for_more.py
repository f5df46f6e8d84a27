# icpc style. After the end of the bot's output, it waits for more output.

import re
import sys
import time

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for _ in range(50):
    while not (line := sys.stdin.buffer.readline(100)):
        time.sleep(0.1)
    match = re.fullmatch(rb"([?!]) (\d{1,18})\s*", line)
    if not match:
        break
    number = int(match[2])
    if match[1] == b"!":
        sys.exit(42 if number == x else 43)
    print("<" if x < number else ">" if x > number else "=", flush=True)
sys.exit(43)
