"""Ctrl-C during a computation that would take hours, and other threads meanwhile."""

import signal
import sys
import threading
from collections.abc import Callable

import pytest
import zeroxor
from zeroxor import Position

LONG: dict[str, Callable[[], object]] = {
    "nimbers of a window": lambda: zeroxor.nimbers("segment 3 3", 0, 10**7),
    "nimbers of a code": lambda: zeroxor.nimbers("octal 8.7", 0, 10**6),
    "period": lambda: zeroxor.period("segment 3 3", 10**7),
    "nimber": lambda: Position("segment 10000000 3 3 + nim 3").nimber(),
    "outcome": lambda: Position("square 1000000000").outcome(),
    "winning_moves": lambda: Position("segment 10000000 3 3 + nim 3").winning_moves(),
    "best_move": lambda: zeroxor.best_move(Position("segment 10000000 3 3 + nim 3")),
}


def interrupt(main: int) -> None:
    """Sends SIGINT to this process as soon as the main thread has run no Python code during 100,000 checks."""
    same, last = 0, None
    while same < 100_000:
        frame = sys._current_frames()[main]
        same, last = (same + 1 if last == (frame, frame.f_lasti) else 0), (frame, frame.f_lasti)
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c(name: str) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        thread = threading.Thread(target=interrupt, args=[threading.get_ident()], daemon=True)
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            LONG[name]()
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_computations_after_ctrl_c() -> None:
    """After an interrupted computation, later computations are correct and not interrupted."""
    position = Position("segment 100000 3 3 + nim 3")

    def handler(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            threading.Thread(target=interrupt, args=[threading.get_ident()], daemon=True).start()
            zeroxor.nimbers("segment 3 3", 0, 10**7)
    finally:
        signal.signal(signal.SIGINT, before)
    assert position.nimber() == int(zeroxor.nimbers("segment 3 3", 100_000, 100_001)[0]) ^ 3
