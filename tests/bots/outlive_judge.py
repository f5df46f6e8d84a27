#!/usr/bin/env python3
"""A bot that cancels its parent-death signal and then sleeps: outlive_judge.py SECONDS."""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1

ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0)
os.execvp("sleep", ["sleep", sys.argv[1]])
