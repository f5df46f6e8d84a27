# It prints 100 MB without a line end.

import sys

for _ in range(100):
    sys.stdout.write("1" * 1_000_000)
sys.stdout.flush()
