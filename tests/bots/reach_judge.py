#!/usr/bin/env python3
"""A bot that tries to read, trace and change its parent, the warden, and the warden's parent, the judge."""

import ctypes
import os
import resource
import sys

from attempts import report_attempts

system = ctypes.CDLL(None, use_errno=True)


def parent(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def trace(process):
    if system.ptrace(0x4206, process, None, None) == -1:
        raise OSError(ctypes.get_errno(), "ptrace")


def copy(process):
    class Part(ctypes.Structure):
        _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    space = ctypes.create_string_buffer(8)
    here, there = Part(ctypes.addressof(space), 8), Part(8, 8)
    system.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    # EFAULT means that access was granted: the kernel checks the permission first, then the address.
    if ctypes.get_errno() != 14:
        raise OSError(ctypes.get_errno(), "process_vm_readv")


attempts = {
    "command": lambda process: open(f"/proc/{process}/cmdline").read(),
    "trace": trace,
    "copy": copy,
    "read": lambda process: open(f"/proc/{process}/mem", "rb"),
    "write": lambda process: open(f"/proc/{process}/mem", "r+b"),
    "maps": lambda process: open(f"/proc/{process}/maps").read(),
    "environment": lambda process: open(f"/proc/{process}/environ").read(),
    "output": lambda process: open(f"/proc/{process}/fd/1", "wb"),
    "score": lambda process: open(f"/proc/{process}/oom_score_adj", "w").write("1000"),
    "limits": lambda process: resource.prlimit(process, resource.RLIMIT_NOFILE, (9, 9)),
}
processes = {"warden": os.getppid(), "judge": parent(os.getppid())}
report_attempts({f"{attempt}-of-{name}": lambda attempt=attempt, process=process: attempts[attempt](process)
                 for name, process in processes.items() for attempt in attempts})
