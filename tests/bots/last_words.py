#!/usr/bin/env python3
"""A bot: last_words.py KIB. It stops the judge, writes KIB KiB and then "last words" to stderr, and writes a line that
is too long to stdout. Then it lets the judge continue, and sleeps.
"""

import fcntl
import os
import signal
import sys
import time

F_SETPIPE_SZ = 1031

for output in (1, 2):
    fcntl.fcntl(output, F_SETPIPE_SZ, 1 << 20)
sys.stdin.readline()
with open(f"/proc/{os.getppid()}/stat") as stat:
    judge = int(stat.read().rsplit(")", 1)[1].split()[1])
os.kill(judge, signal.SIGSTOP)
os.write(2, b"x\n" * (int(sys.argv[1]) << 9) + b"last words\n")
os.write(1, b"x" * 5000)
os.kill(judge, signal.SIGCONT)
time.sleep(1000)
