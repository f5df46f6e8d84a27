from typing import Literal, final

from zeroxor import Move

@final
class Position:
    """A position of a game or of a sum of games. It does not change; `play` returns another position.

    A computation that takes long can be ended by Ctrl-C. Other threads run meanwhile.
    """

    def __new__(cls, game: str) -> Position:
        """Return the start of a game, in the words of docs/protocol.md: "segment 20 3 5 + nim 3"."""

    def heaps(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """Return for each heap its rules, its first place, and its size. A heap of euclid has two sizes."""

    def legal_moves(self) -> list[Move]:
        """Return the legal moves. If there are more than a million, raises ValueError."""

    def is_over(self) -> bool:
        """Return whether there is no legal move, so that the player to move has lost."""

    def play(self, move: Move) -> Position:
        """Return the position after a move. If the move is not legal, raises ValueError."""

    def outcome(self) -> Literal["N", "P"]:
        """Return who wins: "N", the player to move (next), or "P", the other one (previous)."""

    def nimber(self) -> int:
        """Return the nimber (Grundy value)."""

    def winning_moves(self) -> list[Move]:
        """Return the moves after which the nimber is 0. If there are more than a million, raises ValueError."""

    def best_move(self) -> Move:
        """Return a winning move, or else the move that makes the win hardest to find.

        If there is no legal move, raises ValueError.
        """

    def _repr_svg_(self) -> str: ...

def nimbers(rules: str, start: int, stop: int) -> bytearray: ...
def period(rules: str, to: int) -> str | None: ...
