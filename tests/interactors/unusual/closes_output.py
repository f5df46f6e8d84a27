# Writes its only line, closes its output, and continues to read.

import os
import sys

print(5, flush=True)
os.close(1)
sys.exit(0 if sys.stdin.read().strip() == "5" else 1)
