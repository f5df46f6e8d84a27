# It fills a table of 200 MB at the first query.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
table = b""
for line in sys.stdin:
    table = table or bytearray(b"1") * 200_000_000
    mark, number = line.split()
    if mark == "!":
        sys.exit(42 if int(number) == x else 43)
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
sys.exit(43)
