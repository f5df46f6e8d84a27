"""Tests of the client: with a stand-in for the judge, and with the judge itself if JUDGE names it."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

from zeroxor_judge import AsyncJudge, Job, JobError, Judge, Outcome, WorkerDied


def stand_in(folder: str) -> Path:
    """Writes a program that is called as the judge is."""
    program = Path(folder) / "judge"
    worker = Path(__file__).with_name("worker.py")
    program.write_text(f"#!/bin/sh\necho started >>'{folder}/starts'\nexec '{sys.executable}' -IS '{worker}'\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def kinds(outcomes: list[Outcome]) -> dict[str, str]:
    """Returns the class of each outcome by the id of its job."""
    return {outcome.id: type(outcome).__name__ for outcome in outcomes}


class StandIn(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.judge = Judge(jobs=2, program=stand_in(self.folder))
        self.addCleanup(self.judge.close)

    def starts(self) -> int:
        return len((Path(self.folder) / "starts").read_text().splitlines())

    def test_a_job(self) -> None:
        result = self.judge.run({"id": "a", "game": "6 1 2"}, language="python", code="")
        self.assertEqual((result.id, result.verdict, result.cls, result.passed), ("a", "ACCEPTED", "accepted", 1))
        assert result.compile is not None
        self.assertEqual((result.compile.ok, result.compile.ms), (True, 1.5))

    def test_a_malformed_job(self) -> None:
        with self.assertRaises(JobError) as caught:
            self.judge.run(id="a", game="wrong")
        self.assertEqual((caught.exception.id, caught.exception.message), ("a", "expected another game"))
        self.assertEqual(self.judge.run(game="6 1 2").verdict, "ACCEPTED")

    def test_few_jobs_are_taken_at_a_time(self) -> None:
        taken = 0

        def jobs() -> Iterator[Job]:
            nonlocal taken
            for number in range(100):
                taken += 1
                yield {"id": str(number), "game": "6 1 2"}

        for answered, _ in enumerate(self.judge.map(jobs())):
            self.assertLessEqual(taken - answered, 4)
        self.assertEqual(taken, 100)

    def test_the_job_that_ends_the_judge_is_named(self) -> None:
        games = ["6 1 2", "die", "6 1 2", "torn", "wrong", "6 1 2", "6 1 2"]
        jobs = [{"id": str(number), "game": game} for number, game in enumerate(games)]
        expected = {"1": "WorkerDied", "3": "WorkerDied", "4": "JobError"}
        for _ in range(5):
            outcomes = list(self.judge.map(jobs))
            self.assertEqual(kinds(outcomes), {job["id"]: expected.get(job["id"], "Result") for job in jobs})

    def test_asyncio(self) -> None:
        async def work() -> list[Outcome]:
            async with AsyncJudge(jobs=2, program=stand_in(self.folder)) as judge:
                with self.assertRaises(WorkerDied):
                    await judge.run(id="x", game="die")
                games = ["6 1 2", "wrong", "die", "6 1 2"]
                return [outcome async for outcome in judge.map({"id": game, "game": game} for game in games)]

        expected = {"6 1 2": "Result", "wrong": "JobError", "die": "WorkerDied"}
        self.assertEqual(kinds(asyncio.run(work())), expected)

    def test_few_jobs_are_taken_at_a_time_by_asyncio(self) -> None:
        taken = 0

        def jobs() -> Iterator[Job]:
            nonlocal taken
            for number in range(100):
                taken += 1
                yield {"id": str(number), "game": "6 1 2"}

        async def work() -> None:
            answered = 0
            async with AsyncJudge(jobs=2, program=stand_in(self.folder)) as judge:
                async for _ in judge.map(jobs()):
                    self.assertLessEqual(taken - answered, 4)
                    answered += 1

        asyncio.run(work())
        self.assertEqual(taken, 100)

    def test_the_judge_is_started_when_it_is_needed(self) -> None:
        self.assertFalse((Path(self.folder) / "starts").exists())
        for _ in range(3):
            self.judge.run(game="6 1 2")
        self.assertEqual(self.starts(), 1)

    def test_a_closed_judge(self) -> None:
        self.judge.close()
        with self.assertRaises(ValueError):
            self.judge.run(game="6 1 2")

    def test_a_missing_program(self) -> None:
        with Judge(program=Path(self.folder) / "none") as judge, self.assertRaises(FileNotFoundError):
            judge.run(game="6 1 2")


@unittest.skipUnless("JUDGE" in os.environ, "JUDGE does not name the judge")
class RealJudge(unittest.TestCase):
    def test_jobs(self) -> None:
        bot = "input()\nprint('First')\nprint('1 2', flush=True)\ninput()\n"
        with Judge(jobs=2, program=os.environ["JUDGE"]) as judge:
            job = {"game": "2 1 2", "language": "python"}
            won, silent = judge.map([{**job, "id": "won", "code": bot}]), judge.run({**job, "code": "input()"})
            (outcome,) = won
            assert not isinstance(outcome, JobError)
            self.assertEqual((outcome.id, outcome.verdict, outcome.runs[0].verdict), ("won", "ACCEPTED", "WON"))
            self.assertEqual((silent.verdict, silent.cls), ("EXITED_EARLY", "early_exit"))
            with self.assertRaisesRegex(JobError, "expected the keys .*gaem.*did you mean"):
                judge.run(gaem="2 1 2", game="2 1 2", source={"command": ["true"]})


if __name__ == "__main__":
    unittest.main()
