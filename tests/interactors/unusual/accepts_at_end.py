# Reads to the end of the bot's output after a right answer, as the validators of BAPCtools do.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for line in sys.stdin:
    mark, number = line.split()
    if mark == "!":
        rest = sys.stdin.read()
        sys.exit(int(rest != "" or int(number) != x))
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
sys.exit(1)
