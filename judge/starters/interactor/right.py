"""A right bot for the problem of interactor.*: it halves the range in which x can be. Replace it by your solution."""

n, k = map(int, input().split())
low, high = 1, n
while True:
    guess = (low + high) // 2
    print(guess, flush=True)  # Without the flush both programs would wait for each other.
    reply = input()
    if reply == "<":
        high = guess - 1
    elif reply == ">":
        low = guess + 1
    else:
        break  # "=": found, or "-1": rejected
