"""A bot that is run twice: it encodes a number as a word, and decodes it. The argument names what is wrong with it."""

import sys

mode = sys.argv[1]
run, text = input(), input()
if run == "first":
    if mode == "wrong_first":
        text = "c"
    else:
        text = bin(int(text))[2:].translate(str.maketrans("01", "ab"))
else:
    if mode == "crash_second":
        raise ValueError(text)
    while mode == "loops_second":
        pass
    text = str(int(text.translate(str.maketrans("ab", "01")), 2) + (mode == "wrong_second"))
print(text)
