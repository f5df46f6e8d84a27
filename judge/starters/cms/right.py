"""A right solution for the problem of manager.py: the word has the binary digits of x. Replace it by your solution."""

import sys

text = input()
if sys.argv[-1] == "0":
    print(f"{int(text):b}".translate(str.maketrans("01", "ab")), flush=True)
else:
    print(int(text.translate(str.maketrans("ab", "01")), 2), flush=True)
