"""Nimbers and periods, compared with the definition: a nimber is the mex of the nimbers of all options."""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache

import numpy
import pytest
import zeroxor

Options = Callable[[int], Iterable[tuple[int, ...]]]
"""A function from the size of a heap to the options of the heap: for each move the sizes of the heaps that it leaves."""


def window(low: int, high: int) -> Options:
    return lambda n: ((a, n - take - a) for take in range(low, min(high, n) + 1) for a in range(n - take + 1))


def code(digits: list[int], leading: int = 0) -> Options:
    """The options under an octal code: the bits 1, 2 and 4 of a digit allow leaving 0, 1 and 2 heaps."""

    def options(n: int) -> Iterable[tuple[int, ...]]:
        if leading & 4:
            yield from ((a, n - a) for a in range(1, n))
        for take, digit in enumerate(digits, start=1):
            rest = n - take
            if digit & 1 and rest == 0:
                yield ()
            if digit & 2 and rest > 0:
                yield (rest,)
            if digit & 4:
                yield from ((a, rest - a) for a in range(1, rest))

    return options


def takes(is_allowed: Callable[[int, int], bool]) -> Options:
    return lambda n: ((n - take,) for take in range(1, n + 1) if is_allowed(n, take))


GAMES: dict[str, Options] = {
    "segment 1 2": window(1, 2),
    "segment 3 5": window(3, 5),
    "octal 0.77": code([7, 7]),
    "octal 0.137": code([1, 3, 7]),
    "octal 4.7": code([7], leading=4),
    "nim": takes(lambda n, take: True),
    "square ban 4": takes(lambda n, take: int(take**0.5) ** 2 == take != 4),
    "divisor": takes(lambda n, take: n % take == 0),
    "prime ban 2": takes(lambda n, take: take > 2 and all(take % d > 0 for d in range(2, take))),
    "subtract take 2 5 9": takes(lambda n, take: take in (2, 5, 9)),
    "grundy": lambda n: ((a, n - a) for a in range(1, n) if a < n - a),
}


def mex(values: set[int]) -> int:
    return next(value for value in range(len(values) + 1) if value not in values)


def by_definition(options: Options, count: int) -> list[int]:
    @cache
    def nimber(n: int) -> int:
        return mex({int(numpy.bitwise_xor.reduce([nimber(heap) for heap in heaps] or [0])) for heaps in options(n)})

    return [nimber(n) for n in range(count)]


@pytest.mark.parametrize("rules", GAMES)
def test_the_definition(rules: str) -> None:
    expected = by_definition(GAMES[rules], 80)
    assert zeroxor.nimbers(rules, 0, 80).tolist() == expected
    assert zeroxor.nimbers(rules, 37, 80).tolist() == expected[37:]


def test_every_game_is_compared() -> None:
    """The error for an unknown game lists all games. A heap of euclid is a pair."""
    with pytest.raises(ValueError) as error:
        zeroxor.nimbers("chess", 0, 1)
    listed = str(error.value).partition("(")[2].partition(")")[0].split(", ")
    assert sorted(listed) == sorted({rules.split()[0] for rules in GAMES} | {"euclid"})


def test_arrays() -> None:
    """Arrays are complete if they need several copied groups, have an integer type, and are writable without a copy."""
    values = zeroxor.nimbers("segment 1 2", 3, 10_003)
    assert values.dtype == numpy.int64 and values.flags.writeable and not values.flags.owndata
    assert numpy.bincount(values).sum() == 10_000
    everything = zeroxor.nimbers("segment 1 2", 0, 10_003)
    assert (values == everything[3:]).all()
    assert (everything[71:-12] == everything[83:]).all()
    assert len(zeroxor.nimbers("nim", 5, 5)) == len(zeroxor.nimbers("nim", 5, 3)) == 0


@pytest.mark.parametrize(
    ("rules", "period", "pre_period"), [("octal 0.77", 12, 71), ("segment 2 2", 34, 53), ("octal 0.137", 34, 52)]
)
def test_periods(rules: str, period: int, pre_period: int) -> None:
    proof = zeroxor.period(rules)
    assert proof is not None
    assert (proof["game"], proof["period"], proof["pre_period"]) == (rules, period, pre_period)
    values = zeroxor.nimbers(rules, 0, proof["values"])
    assert hashlib.sha256(values.astype("<u4").tobytes()).hexdigest() == proof["sha256"]
    assert (values[pre_period:-period] == values[pre_period + period :]).all()
    assert "saltus" not in proof


def test_growth() -> None:
    proof = zeroxor.period("octal 0.8", 1000)
    assert proof is not None and (proof["period"], proof["saltus"]) == (3, 1)


def test_no_period_is_proven() -> None:
    assert zeroxor.period("octal 0.6", 1000) is None


@pytest.mark.parametrize(
    ("rules", "start", "stop", "message"),
    [
        ("nim 3", 0, 9, 'expected the rules of nim without sizes, got "3" at column 5'),
        ("euclid", 0, 9, "expected a game whose heaps have one size, got euclid"),
        ("nim", -1, 9, "expected a number from 0 to 18446744073709551615, got -1"),
        ("nim", 0, 2**64, "expected a number from 0 to 18446744073709551615, got 18446744073709551616"),
        ("nim", 10**18, 10**18 + 2, "expected heaps of at most 1000000000000000000, got 1000000000000000001"),
    ],
)
def test_errors_of_nimbers(rules: str, start: int, stop: int, message: str) -> None:
    with pytest.raises(ValueError) as error:
        zeroxor.nimbers(rules, start, stop)
    assert str(error.value) == message


def test_tables_that_are_too_large() -> None:
    with pytest.raises(ValueError, match=r"^a Grundy table of segments .* needs \d+ bytes; the limit is 4294967296$"):
        zeroxor.nimbers("segment 1 3", 0, 10**18)
    with pytest.raises(MemoryError):
        zeroxor.nimbers("nim", 0, 10**18)


def test_errors_of_period() -> None:
    with pytest.raises(ValueError) as error:
        zeroxor.period("nim")
    assert str(error.value) == 'expected the rules "segment L R" or "octal CODE", got "nim"'
    with pytest.raises(ValueError) as error:
        zeroxor.period("octal 0.77", 10**18 + 1)
    assert str(error.value) == "expected heaps of at most 1000000000000000000, got 1000000000000000001"
