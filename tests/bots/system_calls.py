#!/usr/bin/env python3
"""Not a bot: it makes system calls, each "name number arguments...", and prints which are refused with the error ERRNO:
system_calls.py ERRNO CALL...
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
