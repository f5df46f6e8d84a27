#!/usr/bin/env python3
"""A bot that tries to use objects and locks of other programs, and to change its own scheduling by calls that name a
process: reach_programs.py OBJECTS CALLS FILE. OBJECTS is the output of make_objects.py, and CALLS has the
numbers of system calls as "name=number".
"""

import ctypes
import fcntl
import os
import sys

from attempts import report_attempts

memory, semaphore, queue = map(int, sys.argv[1].split())
numbers = dict(pair.split("=") for pair in sys.argv[2].split())
file = open(sys.argv[3])
system = ctypes.CDLL(None, use_errno=True)
system.syscall.restype = ctypes.c_long
me, one = os.getpid(), os.PRIO_PROCESS
space = ctypes.create_string_buffer(512)
message = ctypes.create_string_buffer(b"\1" + bytes(8))
up = ctypes.create_string_buffer(b"\0\0\1\0\0\0")
keep = ctypes.create_string_buffer(b"\x30" + bytes(7) + b"\x18" + bytes(39), 48)


def call(name, *arguments):
    whole = (ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments)
    if system.syscall(ctypes.c_long(int(numbers[name])), *whole) == -1:
        raise OSError(ctypes.get_errno(), name)


def change_scheduler():
    os.sched_setscheduler(me, os.SCHED_BATCH, os.sched_param(0))
    if os.sched_getscheduler(me) != os.SCHED_BATCH:
        raise OSError("the change was ignored")


attempts = {
    "nice": lambda: os.setpriority(one, 0, os.getpriority(one, 0)),
    "pin": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "flags": lambda: fcntl.fcntl(file, fcntl.F_SETFD, fcntl.FD_CLOEXEC),
    "shmat": lambda: call("shmat", memory, 0, 0),
    "shmctl": lambda: call("shmctl", memory, 2, space),
    "semop": lambda: call("semop", semaphore, up, 1),
    "semtimedop": lambda: call("semtimedop", semaphore, up, 1, 0),
    "semctl": lambda: call("semctl", semaphore, 0, 12, 0),
    "msgsnd": lambda: call("msgsnd", queue, message, 1, 0o4000),
    "msgrcv": lambda: call("msgrcv", queue, message, 1, 0, 0o4000),
    "msgctl": lambda: call("msgctl", queue, 2, space),
    "priority": lambda: os.setpriority(one, me, os.getpriority(one, 0)),
    "priorities": lambda: os.setpriority(os.PRIO_PGRP, 0, os.getpriority(one, 0)),
    "affinity": lambda: os.sched_setaffinity(me, os.sched_getaffinity(0)),
    "scheduler": change_scheduler,
    "parameter": lambda: os.sched_setparam(me, os.sched_param(0)),
    "attributes": lambda: call("sched_setattr", me, keep, 0),
    "input": lambda: call("ioprio_set", 1, me, 2 << 13 | 4),
    "inputs": lambda: call("ioprio_set", 2, 0, 2 << 13 | 4),
    "lock": lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "part": lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "lease": lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
}
report_attempts(attempts)
