#!/usr/bin/env python3
"""A bot that prints 1000 moves of 2000 1 1 against the slow opponent in advance, then 200 MiB without a line end."""

import os
import sys

sys.stdin.readline()
os.write(1, b"First\n" + b"".join(b"%d 1\n" % place for place in range(2000, 1000, -1)))
for _ in range(3200):
    os.write(1, b"x" * (64 << 10))
