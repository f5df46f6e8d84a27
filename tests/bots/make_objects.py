#!/usr/bin/env python3
"""Not a bot: creates a shared memory segment, a semaphore set and a message queue that any process may use, prints
their ids, and removes them when its input ends.
"""

import ctypes
import sys

system = ctypes.CDLL(None)
memory, semaphore, queue = made = system.shmget(0, 4096, 0o666), system.semget(0, 1, 0o666), system.msgget(0, 0o666)
print(*made, flush=True)
sys.stdin.read()
system.shmctl(memory, 0, None)
system.semctl(semaphore, 0, 0)
system.msgctl(queue, 0, None)
