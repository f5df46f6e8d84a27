#!/usr/bin/env python3
"""A bot that plays games of the protocol by the definition of Grundy values, and in misère play by trying all moves.
Standard library only.

A position is a list of heaps (first place, rules, size). `rules` maps a size to all moves in such a heap: the place
within the heap, how many to take, and the heaps that are left, as pairs of their first place and their size.
"""

from functools import cache
from math import isqrt


def segment(l, r):
    def moves(n):
        for take in range(l, min(r, n) + 1):
            for left in range(n - take + 1):
                yield left, take, [(0, left), (left + take, n - left - take)]

    return moves


def pile(allowed):
    def moves(n):
        for take in range(1, n + 1):
            if allowed(n, take):
                yield 0, take, [(0, n - take)]

    return moves


def octal(code):
    before, after = code.split(".")
    digits, _, repeated = after.rstrip("]").partition("[")

    def digit(take):
        known = (before or "0") + digits
        if take < len(known):
            return int(known[take])
        return int(repeated[(take - len(known)) % len(repeated)]) if repeated else 0

    def moves(n):
        for take in range(n + 1):
            for left in range(n - take + 1):
                heaps = [(at, size) for at, size in ((0, left), (left + take, n - left - take)) if size]
                if digit(take) >> len(heaps) & 1:
                    yield left, take, heaps

    return moves


def splits(n):
    for left in range(1, n):
        if 2 * left != n:
            yield left, 0, [(0, left), (left, n - left)]


def euclid(pair):
    a, b = pair
    yield from ((0, take, [(0, (a - take, b))]) for take in range(b, a, b))
    yield from ((1, take, [(0, (a, b - take))]) for take in range(a, b, a))


def parse(part):
    """Returns the number of places and the heaps of one game of the header."""
    name, *rest = part if part[0].isalpha() else ["segment", *part]
    if name in ("octal", "grundy"):
        rules = octal(rest.pop(0)) if name == "octal" else splits
        sizes = [int(word) for word in rest]
        firsts = [sum(sizes[:k]) for k in range(len(sizes))]
        return sum(sizes), [(first, rules, size) for first, size in zip(firsts, sizes)]
    split = next((k for k, word in enumerate(rest) if word.isalpha()), len(rest))
    sizes, proper = [int(word) for word in rest[:split]], "proper" in rest
    listed = [word.split("..") for word in rest[split:] if not word.isalpha()]
    if name == "segment":
        n, l, r = sizes
        return n, [(0, segment(l, r), n)]
    if name == "euclid":
        return 2, [(0, euclid, tuple(sizes))]

    def is_listed(n, take):
        def end(text):
            return n // int(text[2:]) if text.startswith("n/") else int(text)

        return any(end(ends[0]) <= take <= end(ends[-1]) for ends in listed)

    rules = pile(
        {
            "square": lambda n, take: isqrt(take) ** 2 == take and not is_listed(n, take),
            "divisor": lambda n, take: n % take == 0 and not is_listed(n, take) and not (proper and take == n),
            "subtract": is_listed,
            "nim": lambda n, take: True,
        }[name]
    )
    return len(sizes), [(place, rules, size) for place, size in enumerate(sizes)]


@cache
def grundy(rules, size):
    options = set()
    for _, _, left in rules(size):
        value = 0
        for _, rest in left:
            value ^= grundy(rules, rest)
        options.add(value)
    return next(g for g in range(len(options) + 1) if g not in options)


@cache
def is_lost_misere(heaps):
    """Returns whether the player to move loses in misère play. `heaps` has pairs of rules and size, without places."""
    options = (
        tuple(sorted(heaps[:k] + heaps[k + 1 :] + tuple((rules, rest) for _, rest in left), key=str))
        for k, (rules, size) in enumerate(heaps)
        for _, _, left in rules(size)
    )
    has_move = False
    for option in options:
        has_move = True
        if is_lost_misere(option):
            return False
    return has_move


def play_game(words):
    side = None
    misere = words[0] == "misere"
    words = words[misere:]
    if "seat" in words:
        side, words = words[-1].capitalize(), words[:-2]
    heaps, place, part = [], 1, []
    for word in [*words, "+"]:
        if word != "+":
            part.append(word)
            continue
        places, parts = parse(part)
        heaps += [(place + at, rules, size) for at, rules, size in parts]
        place, part = place + places, []

    def every_move():
        for k, (first, rules, size) in enumerate(heaps):
            for offset, take, left in rules(size):
                yield k, first + offset, take, [(first + at, rules, rest) for at, rest in left]

    def xor(position):
        value = 0
        for _, rules, size in position:
            value ^= grundy(rules, size)
        return value

    def is_lost(position):
        if misere:
            return is_lost_misere(tuple(sorted(((rules, size) for _, rules, size in position), key=str)))
        return xor(position) == 0

    if side is None:
        side = "Second" if is_lost(heaps) else "First"
    print(side, flush=True)
    mine = side == "First"
    while True:
        moves = list(every_move())
        if mine:
            won = (m for m in moves if is_lost(heaps[: m[0]] + m[3] + heaps[m[0] + 1 :]))
            move = next(won, moves[0] if moves else None)
            print(*(move[1:3] if move else (0, 0)), flush=True)
            if not move:
                if not misere:
                    input()  # the judge's verdict
                return
        else:
            x, y = map(int, input().split())
            if x <= 0:
                return
            move = next(m for m in moves if m[1:3] == (x, y))
        heaps[move[0] : move[0] + 1] = move[3]
        mine = not mine


def main():
    words = input().split()
    if words[0] != "games":
        return play_game(words)
    for _ in range(int(words[1])):
        play_game(input().split())


if __name__ == "__main__":
    main()
