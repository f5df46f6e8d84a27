"""Impartial games: who wins, the winning moves, nimbers, periods, and games between Python functions.

>>> import zeroxor
>>> position = zeroxor.Position("segment 20 3 5 + nim 4")
>>> position.outcome(), position.nimber(), position.winning_moves()
('N', 7, [(21, 1)])
>>> zeroxor.nimbers("octal 0.77", 0, 10)
array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4])
>>> zeroxor.play("6 1 2", lambda position: position.legal_moves()[0], zeroxor.best_move).winner
'Second'
"""

import json
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, TypedDict, cast

import numpy
from numpy.typing import NDArray

from zeroxor import _native
from zeroxor._native import Position

__all__ = ["Certificate", "Game", "Move", "Player", "Position", "best_move", "nimbers", "period", "play"]

Move: TypeAlias = tuple[int, int]
"""The place of the first card or of the pile, from 1, and the number of cards or stones taken."""

Player: TypeAlias = Callable[[Position], Move]
"""A player of `play`: a function that gets the position in which it has to move, and returns its move."""


class Certificate(TypedDict, total=False):
    """The proof of a period.

    The nimbers g(0), g(1), ... of the heaps repeat: g(n + period) = g(n) for all n >= pre_period; or with a saltus,
    g(n + period) = g(n) + saltus. The first `values` nimbers prove the period (R. K. Guy and C. A. B. Smith 1956, "The
    G-values of various games"). `sha256` is the hash of these nimbers, each as four bytes, little-endian. `grundy table
    --verify FILE` checks a file in which each line is a certificate as JSON.
    """

    schema: int
    game: str
    period: int
    pre_period: int
    saltus: int
    """Present only if the nimbers grow for ever."""
    values: int
    sha256: str


class Game(NamedTuple):
    """A game that was played to its end."""

    moves: list[Move]
    winner: Literal["First", "Second"]
    """The player who made the last move; in misère play, the other player. First makes the first move."""


def nimbers(rules: str, start: int, stop: int) -> NDArray[numpy.int64]:
    """Return the nimbers of the heaps from `start` up to but not including `stop`.

    The rules are the words of a game without sizes, such as "octal 0.77", "segment 1 2" or "subtract take 2 5".
    """
    return numpy.frombuffer(_native.nimbers(rules, start, stop), dtype=numpy.int64)


def period(rules: str, to: int = 100_000) -> Certificate | None:
    """Return the least period of the nimbers, with its proof; None if the heaps up to `to` prove no period.

    The rules are "octal CODE" or "segment L R".
    """
    certificate = _native.period(rules, to)
    return None if certificate is None else cast(Certificate, json.loads(certificate))


def best_move(position: Position) -> Move:
    """Return a winning move, or else the move that makes the win hardest to find.

    The function can be a player of `play`.
    """
    return position.best_move()


def play(game: str | Position, first: Player, second: Player) -> Game:
    """Let two players play a game from its start, or from a position, until no move is left.

    An exception that a player raises ends the game and is raised again. A move that is not legal raises ValueError.
    """
    position = Position(game) if isinstance(game, str) else game
    moves: list[Move] = []
    while not position.is_over():
        is_first = len(moves) % 2 == 0
        move = first(position) if is_first else second(position)
        try:
            position = position.play(move)
        except (TypeError, ValueError) as error:
            side = "First" if is_first else "Second"
            raise type(error)(f"move {len(moves) + 1}, by {side}: {error}") from error
        moves.append(move)
    return Game(moves, "First" if (len(moves) % 2 == 1) != position.is_misere() else "Second")
