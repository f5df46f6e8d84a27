"""A wrong solution for the problem of manager.py: its word has x letters, which may be more than 30.

Replace it by wrong solutions of your problem, one file for each mistake that the manager has to notice.
"""

import sys

text = input()
print("a" * int(text) if sys.argv[-1] == "0" else len(text), flush=True)
