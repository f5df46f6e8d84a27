#!/usr/bin/env python3
"""A bot that plays the row of cards by the definition of its Grundy values. Standard library only."""

from functools import cache


def main():
    words = input().split()
    if words[0] == "segment":
        words = words[1:]
    n, l, r = map(int, words[:3])

    def splits(length):
        """Every move in a free segment: how many cards stay left of it, how many it takes."""
        for take in range(l, min(r, length) + 1):
            for left in range(length - take + 1):
                yield left, take

    @cache
    def grundy(length):
        options = {grundy(left) ^ grundy(length - left - take) for left, take in splits(length)}
        return next(g for g in range(len(options) + 1) if g not in options)

    segments = {(1, n)}  # first card, number of cards

    def play(x, y):
        start, length = next(s for s in segments if s[0] <= x and x + y <= s[0] + s[1])
        segments.remove((start, length))
        segments.update({(start, x - start), (x + y, start + length - x - y)})

    def xor():
        total = 0
        for _, length in segments:
            total ^= grundy(length)
        return total

    def choose():
        total, any_move = xor(), (0, 0)
        for start, length in sorted(segments):
            for left, take in splits(length):
                any_move = (start + left, take)
                if total ^ grundy(length) ^ grundy(left) ^ grundy(length - left - take) == 0:
                    return any_move
        return any_move

    if "seat" in words:
        side = words[-1].capitalize()
    else:
        side = "First" if xor() else "Second"
    print(side, flush=True)
    mine = side == "First"
    while True:
        x, y = choose() if mine else map(int, input().split())
        if mine:
            print(x, y, flush=True)
        if x <= 0:
            if mine:
                input()  # the judge's last word
            return
        play(x, y)
        mine = not mine


if __name__ == "__main__":
    main()
