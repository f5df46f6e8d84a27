# generate.py N X: prints a test with the hidden number X, which is at most N.

import sys

print(*sys.argv[1:])
