#!/usr/bin/env python3
"""A bot that tries to open terminals, and then files that it may open: reach_terminal.py TERMINAL LINK_TO_TERMINAL."""

import os
import sys

from attempts import report_attempts

terminal, link = sys.argv[1:]
files = {
    "terminal": terminal,
    "link": link,
    "tty": "/dev/tty",
    "tty0": "/dev/tty0",
    "console": "/dev/console",
    "ptmx": "/dev/ptmx",
    "vcs": "/dev/vcs",
}


def opens(path, mode):
    return lambda: os.close(os.open(path, mode | os.O_NOCTTY | os.O_NONBLOCK))


attempts = {f"{name}-r": opens(path, os.O_RDONLY) for name, path in files.items()}
attempts |= {f"{name}-w": opens(path, os.O_WRONLY) for name, path in files.items()}
attempts |= {
    "stdin": lambda: open("/dev/stdin").read(),
    "stdin-of-self": lambda: open("/proc/self/fd/0").read(),
    "stdout": lambda: open("/dev/stdout", "w").write(""),
    "stderr": lambda: open("/dev/fd/2", "w").write(""),
}
for name in ["null", "zero", "full", "random", "urandom"]:
    attempts[name] = lambda name=name: open("/dev/" + name, "rb").read(1)
report_attempts(attempts)
