# Rejects with the exit code of the style icpc, although its style is testlib.

import sys

sys.exit(43)
