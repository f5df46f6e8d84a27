# A checker, testlib style, that exits with a code that has no meaning.

import sys

print("internal mistake", file=sys.stderr)
sys.exit(9)
