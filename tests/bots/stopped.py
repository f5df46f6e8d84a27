#!/usr/bin/env python3
"""A bot that stops itself. If its argument is `traced`, it first lets its parent trace it."""

import ctypes
import os
import signal
import sys

PTRACE_TRACEME = 0

if sys.argv[1:] == ["traced"]:
    ctypes.CDLL(None).ptrace(PTRACE_TRACEME, 0, 0, 0)
os.kill(os.getpid(), signal.SIGSTOP)
