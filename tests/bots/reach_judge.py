#!/usr/bin/env python3
"""A bot that tries to read, trace and change the judge, which is its parent."""

import ctypes
import os
import resource
import sys

from attempts import report_attempts

judge = os.getppid()
system = ctypes.CDLL(None, use_errno=True)


def trace():
    if system.ptrace(0x4206, judge, None, None) == -1:
        raise OSError(ctypes.get_errno(), "ptrace")


def copy():
    class Part(ctypes.Structure):
        _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    space = ctypes.create_string_buffer(8)
    here, there = Part(ctypes.addressof(space), 8), Part(8, 8)
    system.process_vm_readv(judge, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    # EFAULT means that access was granted: the kernel checks the permission first, then the address.
    if ctypes.get_errno() != 14:
        raise OSError(ctypes.get_errno(), "process_vm_readv")


attempts = {
    "command": lambda: open(f"/proc/{judge}/cmdline").read(),
    "trace": trace,
    "copy": copy,
    "read": lambda: open(f"/proc/{judge}/mem", "rb"),
    "write": lambda: open(f"/proc/{judge}/mem", "r+b"),
    "maps": lambda: open(f"/proc/{judge}/maps").read(),
    "environment": lambda: open(f"/proc/{judge}/environ").read(),
    "output": lambda: open(f"/proc/{judge}/fd/1", "wb"),
    "score": lambda: open(f"/proc/{judge}/oom_score_adj", "w").write("1000"),
    "limits": lambda: resource.prlimit(judge, resource.RLIMIT_NOFILE, (9, 9)),
}
report_attempts(attempts)
