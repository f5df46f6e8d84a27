# Ends as an interactor with testlib.h that gets the arguments of the style icpc.

import sys

print("FAIL File size exceeds 134217728 bytes, size is -1 (feedback/)", file=sys.stderr)
sys.exit(3)
