# It does not accept the final answer, but waits for more lines after the end of the bot's output.

import sys
import time

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
end = time.monotonic() + 50
while time.monotonic() < end:
    line = sys.stdin.readline()
    if line.startswith("?"):
        number = int(line.split()[1])
        print("<" if x < number else ">" if x > number else "=", flush=True)
    else:
        time.sleep(0.1)
sys.exit(43)
