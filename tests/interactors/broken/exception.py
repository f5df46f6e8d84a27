# It raises an exception at the third query.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
earlier = [0, 0]
for count, line in enumerate(sys.stdin):
    mark, number = line.split()
    earlier[count] = int(number)
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
sys.exit(43)
