"""A wrong solution for the problem of checker.py: its word has x letters, which may be more than 30.

Replace it by wrong solutions of your problem, one file for each mistake that the checker has to notice.
"""

run, text = input(), input()
print("a" * int(text) if run == "first" else len(text))
