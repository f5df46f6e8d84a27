#!/usr/bin/env python3
"""A bot that stops itself, as one that is traced if its argument is `traced`."""

import ctypes
import os
import signal
import sys

PTRACE_TRACEME = 0

if sys.argv[1:] == ["traced"]:
    ctypes.CDLL(None).ptrace(PTRACE_TRACEME, 0, 0, 0)
os.kill(os.getpid(), signal.SIGSTOP)
