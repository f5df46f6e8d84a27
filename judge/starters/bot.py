"""A starter bot for rows of cards. It plays legal moves and knows no strategy.

From a row of N cards the players in turn take L to R neighbouring cards. A player who cannot move loses.

    the judge sends    N L R       the header
    the bot answers    First       or Second: the side that it plays
    then in turn       x y         take the y cards x, x+1, ..., x+y-1
    the bot            0 0         I have no move
    the judge at last  0 0         the bot has won; or -1 -1: the bot has lost

Only these lines go to stdout, and each is flushed. Print everything else to stderr.
"""

import sys


def choose_side(n, l, r):
    return "First"


def choose_move(cards, l, r):
    """Returns the move that takes the first L neighbouring cards, or None. cards[x] says whether card x is left."""
    in_a_row = 0
    for x, is_left in enumerate(cards):
        in_a_row = in_a_row + 1 if is_left else 0
        if in_a_row == l:
            return x - l + 1, l
    return None


def take(cards, x, y):
    cards[x : x + y] = [False] * y


def send(line):
    print(line, flush=True)


def read():
    """Returns the numbers of the next line; None at the end of the input."""
    line = sys.stdin.readline()
    return [int(word) for word in line.split()] if line else None


def main():
    header = read()
    if header is None:
        return 0
    n, l, r = header
    cards = [False] + [True] * n  # The cards are numbered from 1.
    side = choose_side(n, l, r)
    send(side)
    is_my_turn = side == "First"
    while True:
        if is_my_turn:
            x, y = choose_move(cards, l, r) or (0, 0)
            send(f"{x} {y}")
        else:
            move = read()
            if move is None:
                return 1  # The input has ended in the middle of the game.
            x, y = move
            if x <= 0:
                return 0  # The game is over.
        if x > 0:
            take(cards, x, y)
        is_my_turn = not is_my_turn


sys.exit(main())
