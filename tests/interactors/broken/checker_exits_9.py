# A checker, testlib style, that ends with a code that means nothing.

import sys

print("internal mistake", file=sys.stderr)
sys.exit(9)
