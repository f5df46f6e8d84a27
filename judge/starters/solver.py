"""A bot for all games of the protocol. Its moves are those of the Python package zeroxor, which must be installed.

The position is a zeroxor.Position. To play your own strategy, replace the calls of outcome() and best_move().
"""

import sys

import zeroxor


def send(line):
    print(line, flush=True)


def main():
    game, _, seat = sys.stdin.readline().strip().partition(" seat ")
    if not game:
        return 0
    position = zeroxor.Position(game)
    side = seat.capitalize() or ("First" if position.outcome() == "N" else "Second")
    send(side)
    is_my_turn = side == "First"
    while True:
        if is_my_turn:
            x, y = (0, 0) if position.is_over() else position.best_move()
            send(f"{x} {y}")
        else:
            line = sys.stdin.readline()
            if not line:
                return 1  # The input has ended in the middle of the game.
            x, y = map(int, line.split())
            if x <= 0:
                return 0  # The game is over.
        if x > 0:
            position = position.play((x, y))
        is_my_turn = not is_my_turn


sys.exit(main())
