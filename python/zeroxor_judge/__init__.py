"""Judge programs by a running ``judge batch``, which is started when it is needed.

    from zeroxor_judge import Judge

    with Judge(jobs=8) as judge:
        result = judge.run(problem="guess/", source={"path": "bot.py"})
        print(result.verdict, result.cls, result.runs[0].reason)

The keys of a job are those of docs/json.md, "Batch". ``code`` and ``language`` may be given without ``source``.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Union

__all__ = ["AsyncJudge", "Compile", "Job", "JobError", "Judge", "Outcome", "Result", "Run", "WorkerDied"]

Job = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """A run of a test. ``classes`` are those of its repetitions if it is flaky. ``raw`` is the whole object of the judge."""

    test: str | None
    verdict: str
    cls: str
    reason: str
    why: tuple[str, ...]
    advice: tuple[str, ...]
    score: float | None
    flaky: bool
    classes: tuple[str, ...]
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Compile:
    """Whether the source compiled, in how many milliseconds, and the last lines of a compiler that failed."""

    ok: bool
    ms: float
    log: str


@dataclass(frozen=True)
class Result:
    """The result of a job. ``raw`` is the whole object of the judge."""

    id: str
    verdict: str
    cls: str
    passed: int
    ran: int
    total: int
    score: float | None
    compile: Compile | None
    guards: tuple[str, ...]
    missing_guards: tuple[str, ...]
    runs: tuple[Run, ...]
    raw: Mapping[str, Any]


class JobError(Exception):
    """A job that could not be judged: it is malformed, or a file is missing."""

    def __init__(self, id: str, message: str) -> None:
        super().__init__(f"job {id}: {message}")
        self.id = id
        self.message = message


class WorkerDied(JobError):
    """A job that ended the judge itself. The other jobs are judged by a new one."""


Outcome = Union[Result, JobError]


@dataclass(frozen=True)
class _Sent:
    """A job that is not answered yet."""

    line: bytes
    name: str
    future: Future[Result]


class Judge:
    """A pool of ``jobs`` workers in one process of the judge. It can be used by several threads at the same time."""

    def __init__(
        self,
        jobs: int | None = None,
        *,
        program: str | os.PathLike[str] | None = None,
        sandbox: str = "best",
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        """``program`` is the judge, by default the one beside this package's Python or in PATH. ``sandbox`` is best, all
        or none. Paths in jobs are relative to ``cwd``."""
        self.jobs = jobs if jobs is not None else os.cpu_count() or 1
        command = [_program(program), "batch", "--jobs", str(self.jobs), f"--sandbox={sandbox}"]
        self._command = command
        self._cwd = cwd
        self._ids = itertools.count(1)
        # Only one thread writes to the judge. While it waits for the judge, another thread reads the answers, so it does
        # not hold `_state`, which guards everything below.
        self._writing = threading.Lock()
        self._state = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: dict[str, _Sent] = {}
        # Jobs that were being judged when the judge died. Each is judged alone, to find the one that ended it, and new
        # jobs are held until then.
        self._is_alone = False
        self._suspects: deque[tuple[str, _Sent]] = deque()
        self._held: list[tuple[str, _Sent]] = []
        self._is_closed = False

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the judge. Jobs that are not answered yet end with a :class:`JobError`."""
        with self._state:
            self._is_closed = True
            process, self._process = self._process, None
            left = self._take_all()
        for sent in left:
            sent.future.set_exception(JobError(sent.name, "the judge was closed"))
        if process is None:
            return
        if left:
            # The judge ends its programs when it is interrupted.
            process.terminate()
        else:
            assert process.stdin is not None
            process.stdin.close()
        process.wait()

    def submit(self, job: Job | None = None, /, **keys: Any) -> Future[Result]:
        """Sends a job. The result, or a :class:`JobError`, is in the future that is returned."""
        wire = dict(job or {}, **keys)
        number = str(next(self._ids))
        name = str(wire.get("id") or number)
        if "code" in wire:
            wire["source"] = {"language": wire.pop("language", None), "code": wire.pop("code")}
        wire["id"] = number
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()
        sent = _Sent(json.dumps(wire).encode() + b"\n", name, future)
        with self._state:
            if self._is_closed:
                raise ValueError("the judge is closed")
            if self._is_alone:
                self._held.append((number, sent))
                return future
            self._sent[number] = sent
        self._write(sent.line)
        return future

    def run(self, job: Job | None = None, /, **keys: Any) -> Result:
        """Judges a job, and waits for its result. Raises a :class:`JobError` if it cannot be judged."""
        return self.submit(job, **keys).result()

    def map(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Judges jobs, of which only a few more than can be judged at the same time are taken from ``jobs``. Yields the
        results in the order of completion, and a :class:`JobError` for a job that could not be judged."""
        done: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
        waiting = 0
        for job in jobs:
            if waiting > self.jobs:
                yield _outcome(done.get())
                waiting -= 1
            self.submit(job).add_done_callback(done.put)
            waiting += 1
        for _ in range(waiting):
            yield _outcome(done.get())

    def _write(self, line: bytes) -> None:
        with self._writing:
            with self._state:
                if self._is_closed:
                    return
                process = self._process or self._start()
            assert process.stdin is not None
            # If the judge has ended, the thread that reads its answers notices that.
            with contextlib.suppress(OSError, ValueError):
                process.stdin.write(line)
                process.stdin.flush()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self._cwd
            )
        except OSError as error:
            for sent in self._take_all():
                sent.future.set_exception(JobError(sent.name, f"the judge cannot be started: {error}"))
            raise
        self._process = process
        threading.Thread(target=self._read, args=[process], daemon=True).start()
        return process

    def _take_all(self) -> list[_Sent]:
        """Takes all jobs that are not answered yet."""
        left = [*self._sent.values(), *(sent for _, sent in [*self._suspects, *self._held])]
        self._sent.clear()
        self._suspects.clear()
        self._held.clear()
        return left

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Reads answers until the judge ends."""
        assert process.stdin is not None and process.stdout is not None
        for line in process.stdout:
            if not line.endswith(b"\n"):
                # The judge was killed while it wrote.
                break
            answer = json.loads(line)
            with self._state:
                sent = self._sent.pop(str(answer.get("id")), None)
            if sent is not None:
                _resolve(sent, answer)
            self._continue()
        code = process.wait()
        process.stdout.close()
        with self._writing, contextlib.suppress(OSError):
            process.stdin.close()
        with self._state:
            if self._process is not process:
                return
            self._process = None
            left = list(self._sent.items())
            self._sent.clear()
            if len(left) > 1:
                self._is_alone = True
                self._suspects.extend(left)
                left = []
        for _, sent in left:
            sent.future.set_exception(WorkerDied(sent.name, f"the judge ended with code {code}"))
        self._continue()

    def _continue(self) -> None:
        """Sends the next suspect, or if there are no more, the jobs that were held."""
        with self._state:
            if not self._is_alone or self._sent:
                return
            if self._suspects:
                next_jobs = [self._suspects.popleft()]
            else:
                self._is_alone = False
                next_jobs, self._held = self._held, []
            self._sent.update(next_jobs)
        for _, sent in next_jobs:
            self._write(sent.line)


class AsyncJudge:
    """A :class:`Judge` for asyncio, as in ``async with AsyncJudge(jobs=8) as judge``."""

    def __init__(
        self,
        jobs: int | None = None,
        *,
        program: str | os.PathLike[str] | None = None,
        sandbox: str = "best",
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        self._judge = Judge(jobs, program=program, sandbox=sandbox, cwd=cwd)

    async def __aenter__(self) -> AsyncJudge:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the judge, as :meth:`Judge.close` does."""
        await asyncio.to_thread(self._judge.close)

    async def submit(self, job: Job | None = None, /, **keys: Any) -> asyncio.Future[Result]:
        """Sends a job. The result, or a :class:`JobError`, is in the future that is returned."""
        # Sending may have to wait for the judge.
        return asyncio.wrap_future(await asyncio.to_thread(self._judge.submit, job, **keys))

    async def run(self, job: Job | None = None, /, **keys: Any) -> Result:
        """Judges a job. Raises a :class:`JobError` if it cannot be judged."""
        return await (await self.submit(job, **keys))

    async def map(self, jobs: Iterable[Job]) -> AsyncIterator[Outcome]:
        """Judges jobs, as :meth:`Judge.map` does."""
        waiting: set[asyncio.Task[Outcome]] = set()
        left = iter(jobs)
        while True:
            for job in itertools.islice(left, self._judge.jobs + 1 - len(waiting)):
                waiting.add(asyncio.create_task(self._outcome(job)))
            if not waiting:
                return
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()

    async def _outcome(self, job: Job) -> Outcome:
        try:
            return await self.run(job)
        except JobError as error:
            return error


def _program(given: str | os.PathLike[str] | None) -> str:
    if given is not None:
        return os.fspath(given)
    beside = Path(sys.executable).with_name("judge")
    found = str(beside) if beside.is_file() else shutil.which("judge")
    if found is None:
        raise FileNotFoundError("expected the program judge beside Python or in PATH, found none")
    return found


def _outcome(future: Future[Result]) -> Outcome:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, JobError):
        return error
    raise error


def _resolve(sent: _Sent, answer: dict[str, Any]) -> None:
    if "error" in answer:
        sent.future.set_exception(JobError(sent.name, answer["error"]))
        return
    answer["id"] = sent.name
    compiled = answer["compile"]
    sent.future.set_result(
        Result(
            id=sent.name,
            verdict=answer["verdict"],
            cls=answer["class"],
            passed=answer["passed"],
            ran=answer["ran"],
            total=answer["total"],
            score=answer["score"],
            compile=None if compiled is None else Compile(compiled["ok"], compiled["ms"], compiled["log"]),
            guards=tuple(answer["guards"]),
            missing_guards=tuple(answer["missing_guards"]),
            runs=tuple(_run(run) for run in answer["runs"]),
            raw=answer,
        )
    )


def _run(run: dict[str, Any]) -> Run:
    return Run(
        test=run.get("test"),
        verdict=run["verdict"],
        cls=run["class"],
        reason=run["reason"],
        why=tuple(run["why"]),
        advice=tuple(run["advice"]),
        score=run["score"],
        flaky=run["flaky"],
        classes=tuple(run.get("classes", ())),
        raw=run,
    )
