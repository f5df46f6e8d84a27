"""Games between two players."""

import random
from typing import Any

import pytest
import zeroxor
from zeroxor import Move, Position


def first_move(position: Position) -> Move:
    return position.legal_moves()[0]


def check(start: Position, game: zeroxor.Game) -> None:
    """Checks that the moves lead to the end, and that the winner made the last one."""
    position = start
    for move in game.moves:
        assert not position.is_over()
        position = position.play(move)
    assert position.is_over()
    assert game.winner == ("First" if len(game.moves) % 2 == 1 else "Second")


@pytest.mark.parametrize("game", ["segment 20 3 5 + nim 3", "6 1 2", "square 20 31 ban 4", "euclid 14 5"])
def test_the_solver_wins(game: str) -> None:
    start, choice = Position(game), random.Random(1)
    winner = "First" if start.outcome() == "N" else "Second"
    for other in (first_move, zeroxor.best_move, lambda position: choice.choice(position.legal_moves())):
        players = (zeroxor.best_move, other) if winner == "First" else (other, zeroxor.best_move)
        played = zeroxor.play(game, *players)
        check(start, played)
        assert played.winner == winner


def test_a_game_from_a_position() -> None:
    moves, winner = zeroxor.play(Position("nim 2 1").play((1, 1)), first_move, first_move)
    assert (moves, winner) == ([(1, 1), (2, 1)], "Second")


def test_a_game_without_moves() -> None:
    assert zeroxor.play("subtract 1 take 2", first_move, first_move) == ([], "Second")


@pytest.mark.parametrize("game", ["misere nim 3 5 7", "misere nim 1 1 1", "misere octal 0.77 9 + subtract 7 take 1 3"])
def test_the_solver_wins_in_misere_play(game: str) -> None:
    winner = "First" if Position(game).outcome() == "N" else "Second"
    for other in (first_move, zeroxor.best_move):
        players = (zeroxor.best_move, other) if winner == "First" else (other, zeroxor.best_move)
        played = zeroxor.play(game, *players)
        assert played.winner == winner
        assert winner == ("Second" if len(played.moves) % 2 == 1 else "First")
    assert zeroxor.play("misere subtract 1 take 2", first_move, first_move) == ([], "First")


def test_illegal_moves() -> None:
    with pytest.raises(ValueError) as error:
        zeroxor.play("nim 5", lambda position: (1, 1), lambda position: (1, 9))
    assert str(error.value) == "move 2, by Second: taking 9 at place 1 is not legal: the pile has only 4"


@pytest.mark.parametrize("answer", [None, "1 1", (1,), [1, 1]])
def test_answers_that_are_no_moves(answer: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="^move 1, by First: "):
        zeroxor.play("nim 5", lambda position: answer, zeroxor.best_move)


def test_exceptions_of_players() -> None:
    def fails(position: Position) -> Move:
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="^no idea$"):
        zeroxor.play("nim 5", fails, zeroxor.best_move)
