# Accepts n and n values from 1 to 1000000, each on a line.

import re
import sys

text = sys.stdin.read()
count, *values = text.split()
if not re.fullmatch(r"([1-9]\d*\n)+", text) or int(count) != len(values):
    sys.exit("expected n and n values, each on a line")
if not all(int(value) <= 1000000 for value in values):
    sys.exit("expected values up to 1000000")
