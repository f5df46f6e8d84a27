#!/usr/bin/env python3
"""Not a bot: executes a program with all signals blocked, and with some signals ignored that could change a verdict."""

import os
import signal
import sys

for name in ("CHLD", "USR1", "ALRM", "XFSZ", "PIPE"):
    signal.signal(getattr(signal, "SIG" + name), signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
os.execvp(sys.argv[1], sys.argv[1:])
