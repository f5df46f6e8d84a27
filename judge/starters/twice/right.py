"""A right solution for the problem of checker.py: the word has the binary digits of x. Replace it by your solution."""

run, text = input(), input()
if run == "first":
    print(f"{int(text):b}".translate(str.maketrans("01", "ab")))
else:
    print(int(text.translate(str.maketrans("ab", "01")), 2))
