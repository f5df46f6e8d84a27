"""Positions, compared with a search of the whole game tree, and with a second implementation of the rules of rows."""

from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
import zeroxor
from zeroxor import Move, Position

GAMES = ["segment 9 2 3", "6 1 2 + nim 3", "octal 0.137 5 + square 7 ban 1", "euclid 9 5", "subtract 7 2 take 1 3", "prime 9"]


def tree(position: Position) -> dict[tuple[Any, ...], tuple[Position, set[tuple[Any, ...]]]]:
    """Returns all positions that can be reached, each with the keys of its options. The key of a position is its heaps."""
    found: dict[tuple[Any, ...], tuple[Position, set[tuple[Any, ...]]]] = {}
    waiting = [position]
    while waiting:
        position = waiting.pop()
        key = tuple(position.heaps())
        if key not in found:
            options = [position.play(move) for move in position.legal_moves()]
            found[key] = (position, {tuple(option.heaps()) for option in options})
            waiting += options
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_game_tree(game: str) -> None:
    found = tree(Position(game))
    assert len(found) > 5

    @cache
    def nimber(key: tuple[Any, ...]) -> int:
        options = {nimber(reached) for reached in found[key][1]}
        return next(value for value in range(len(options) + 1) if value not in options)

    for key, (position, options) in found.items():
        assert position.nimber() == nimber(key)
        assert position.outcome() == ("N" if nimber(key) > 0 else "P")
        assert position.is_over() == (not options)
        moves = position.legal_moves()
        wins = [move for move in moves if nimber(tuple(position.play(move).heaps())) == 0]
        assert sorted(position.winning_moves()) == sorted(wins)
        if moves:
            assert position.best_move() in (wins or moves)


@pytest.mark.parametrize("game", GAMES)
def test_the_game_tree_in_misere_play(game: str) -> None:
    found = tree(Position("misere " + game))

    @cache
    def is_lost(key: tuple[Any, ...]) -> bool:
        options = found[key][1]
        return bool(options) and not any(is_lost(reached) for reached in options)

    for key, (position, options) in found.items():
        assert position.is_misere() and not Position(game).is_misere()
        assert position.outcome() == ("P" if is_lost(key) else "N")
        moves = position.legal_moves()
        wins = [move for move in moves if is_lost(tuple(position.play(move).heaps()))]
        assert sorted(position.winning_moves()) == sorted(wins)
        if moves:
            assert position.best_move() in (wins or moves)
        with pytest.raises(ValueError, match="nimbers do not tell who wins"):
            position.nimber()


def test_moves_in_a_row() -> None:
    """The legal moves of a row are the windows of cards that have not been taken."""

    def moves(cards: set[int]) -> set[Move]:
        windows = [(place, take) for place in range(1, 13) for take in range(2, 5)]
        return {(place, take) for place, take in windows if set(range(place, place + take)) <= cards}

    position, cards = Position("segment 12 2 4"), set(range(1, 13))
    for place, take in [(4, 3), (10, 2), (1, 2)]:
        assert set(position.legal_moves()) == moves(cards)
        position = position.play((place, take))
        cards -= set(range(place, place + take))
    assert set(position.legal_moves()) == moves(cards) == {(7, 2), (7, 3), (8, 2)}


def test_positions_do_not_change() -> None:
    start = Position("segment 20 3 5 + nim 3")
    after = start.play((9, 4))
    assert str(start) == "segment 3 5: 20 | nim: 3"
    assert repr(after) == "<Position segment 3 5: 8 8 | nim: 3>"
    assert after.heaps() == [("segment 3 5", 1, (8,)), ("segment 3 5", 13, (8,)), ("nim", 21, (3,))]
    assert Position("euclid 8 5").heaps() == [("euclid", 1, (8, 5))]


def test_large_positions() -> None:
    assert Position("nim 1000000000000000000 5").winning_moves() == [(1, 10**18 - 5)]
    assert Position("nim 1000000").legal_moves()[-1] == (1, 1_000_000)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("segment 20 5 3", 'expected L of at most R = 3, got "5" at column 12'),
        ("nim 3 + octal 0.77", "expected a heap, a number from 1 to 1000000000000000000, got nothing at column 19"),
        ("sqare 3", 'expected three numbers "N L R" or a game (segment, square, divisor, subtract, nim, prime, '
            'euclid, octal, grundy), got "sqare" at column 1; did you mean "square"?'),
        ("octal 0.8 7", 'expected a game in which each move leaves at most two heaps, so that "x y" describes it, '
            'got "octal 0.8 7"'),
    ],
)
def test_errors_of_games(game: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        Position(game)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ((7, 6), "taking 6 at place 7 is not legal: a move takes 3 to 5 consecutive cards"),
        ((21, 3), "taking 3 at place 21 is not legal: there is no such place; places are numbered from 1 to 20"),
        ((-1, 3), "expected a number from 0 to 18446744073709551615, got -1"),
        ((1, 2**64), "expected a number from 0 to 18446744073709551615, got 18446744073709551616"),
    ],
)
def test_errors_of_moves(move: Move, message: str) -> None:
    with pytest.raises(ValueError) as error:
        Position("segment 20 3 5").play(move)
    assert str(error.value) == message


@pytest.mark.parametrize("move", [None, "9 4", (9,), (9, 4, 1), (9.0, 4)])
def test_values_that_are_no_moves(move: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Position("segment 20 3 5").play(move)


def test_lists_that_are_too_long() -> None:
    with pytest.raises(ValueError) as error:
        Position("nim 1000001").legal_moves()
    assert str(error.value) == "expected a position with at most 1000000 moves to list, got one with 1000001"
    with pytest.raises(ValueError) as error:
        Position("segment 10000000 3 4").winning_moves()
    assert str(error.value).endswith("at most 1000000 moves to list, got one with 1666641 winning moves")


def test_winning_moves_that_take_too_long_to_find() -> None:
    position = Position("segment 1000000000000000000 3 5")
    with pytest.raises(ValueError) as error:
        position.winning_moves()
    assert str(error.value) == "finding all winning moves takes too long; best_move() finds one"
    assert position.play(position.best_move()).outcome() == "P"


def test_no_move_is_left() -> None:
    end = Position("nim 1").play((1, 1))
    assert end.is_over() and end.legal_moves() == [] and end.outcome() == "P"
    with pytest.raises(ValueError) as error:
        end.best_move()
    assert str(error.value) == "expected a position with a legal move, got one without"


def picture(position: Position) -> tuple[list[ElementTree.Element], str]:
    """Returns the rectangles of the cards and of their places, and the text."""
    svg = ElementTree.fromstring(position._repr_svg_())
    name = "{http://www.w3.org/2000/svg}"
    assert svg.tag == name + "svg"
    return svg.findall(name + "rect")[1:], " ".join("".join(text.itertext()).strip() for text in svg.iter(name + "text")).strip()


def test_pictures() -> None:
    rectangles, text = picture(Position("segment 20 3 5 + nim 3 4 + euclid 5 8").play((9, 4)))
    assert [rectangle.get("fill") != "none" for rectangle in rectangles] == [True] * 8 + [False] * 4 + [True] * 8
    assert text == "segment 3 5 nim 21: 3  22: 4 euclid 23: 5, 8"


def test_pictures_are_short() -> None:
    rectangles, text = picture(Position("1000000 2 3 + " + " + ".join(["nim 7"] * 40)))
    assert rectangles == [] and text.startswith("segment 2 3 1: 1000000 nim") and text.endswith("and 11 more games")
    rectangles, text = picture(Position("nim" + " 7" * 1000))
    assert rectangles == [] and len(text) < 120
