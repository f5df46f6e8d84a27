"""A wrong bot for the problem of interactor.*: it tries 1, 2, 3, ..., and needs too many guesses.

Replace it by wrong solutions of your problem, one file for each mistake that the interactor has to notice.
"""

n, k = map(int, input().split())
for guess in range(1, n + 1):
    print(guess, flush=True)
    if input() not in ("<", ">"):
        break  # "=": found, or "-1": rejected
