# It computes for longer than the idle limit, and then fails.

import signal
import sys
import time

signal.alarm(50)  # ends the bot if nobody else does
while time.process_time() < 0.6:
    pass
sys.exit(3)
