# An interactor in the style testlib that raises an exception after the first query, and then rejects by its exit code.

import sys

n, x = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
sys.stdin.readline()
raise RuntimeError("oops")
