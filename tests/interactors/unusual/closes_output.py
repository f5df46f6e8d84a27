# Writes all that it has to say, closes its output, and reads on.

import os
import sys

print(5, flush=True)
os.close(1)
sys.exit(0 if sys.stdin.read().strip() == "5" else 1)
