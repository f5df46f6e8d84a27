#!/usr/bin/env python3
"""A bot that undoes that it ends with its parent, and becomes a sleep of so many seconds: outlive_judge.py SECONDS."""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1

ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0)
os.execvp("sleep", ["sleep", sys.argv[1]])
