"""A manager whose first line stays in a buffer."""

import sys

from_first, to_first, from_second, to_second = sys.argv[1:]
first = open(to_first, "w")
print(777, file=first)
open(from_first).readline()
print(0)
