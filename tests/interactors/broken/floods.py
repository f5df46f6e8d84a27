# It prints 100 MB to the bot as its first reply.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
sys.stdin.readline()
for _ in range(100):
    sys.stdout.write("<" * 1_000_000)
print(flush=True)
sys.exit(43)
