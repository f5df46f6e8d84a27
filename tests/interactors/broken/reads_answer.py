# Reads the number from the answer file, and crashes if there is none.

import sys

x = int(open(sys.argv[2]).read())
print(1000, flush=True)
for line in sys.stdin:
    mark, number = line.split()
    if mark == "!":
        sys.exit(42 if int(number) == x else 43)
    print("<" if x < int(number) else ">" if x > int(number) else "=", flush=True)
