# It takes its third argument, the feedback directory, for a file, and crashes at the end of a correct game.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for line in sys.stdin:
    mark, number = line.split()
    if mark == "!":
        break
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
open(sys.argv[3], "w").write("accepted")
sys.exit(42)
