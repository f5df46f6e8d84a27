#!/usr/bin/env python3
"""A bot that starts children until one is refused, at most 200, and prints how many were started."""

import os
import sys
import time

count = 0
try:
    for count in range(200):
        if os.fork() == 0:
            time.sleep(1000)
except BlockingIOError:
    print("children:", count, file=sys.stderr)
sys.exit(7)
