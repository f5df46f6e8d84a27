#!/usr/bin/env python3
"""Not a bot: makes system calls and prints the names of those that fail with the error ERRNO: system_calls.py ERRNO
CALL... where each CALL is "name number arguments...".
"""

import ctypes
import sys

system = ctypes.CDLL(None, use_errno=True)
refusal, *calls = sys.argv[1:]
refused = []
for call in calls:
    name, *numbers = call.split()
    ctypes.set_errno(0)
    system.syscall(*(ctypes.c_long(int(number)) for number in numbers))
    if ctypes.get_errno() == int(refusal):
        refused.append(name)
print(*refused)
