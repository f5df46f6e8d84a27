# Ends as an interactor with testlib.h that reads an answer file that does not exist.

import sys

print("FAIL Unexpected end of file - int32 expected (unopened answer stream)", file=sys.stderr)
sys.exit(3)
