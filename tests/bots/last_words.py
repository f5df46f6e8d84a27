#!/usr/bin/env python3
"""A bot that stops the judge, writes KIB KiB and some last words to stderr and a line that is too long to stdout, lets
the judge continue, and sleeps: last_words.py KIB.
"""

import fcntl
import os
import signal
import sys
import time

F_SETPIPE_SZ = 1031

fcntl.fcntl(2, F_SETPIPE_SZ, 1 << 20)
sys.stdin.readline()
os.kill(os.getppid(), signal.SIGSTOP)
os.write(2, b"x\n" * (int(sys.argv[1]) << 9) + b"last words\n")
os.write(1, b"x" * 5000)
os.kill(os.getppid(), signal.SIGCONT)
time.sleep(1000)
