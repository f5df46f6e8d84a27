"""Connects a bot in DMOJ's sandbox with `judge interact`, by testlib's convention. $JUDGE is the path of the judge."""

import os
import subprocess
import tempfile

from dmoj.graders.interactive import InteractiveGrader
from dmoj.result import CheckerResult


class Grader(InteractiveGrader):
    def interact(self, case, interactor):
        with tempfile.NamedTemporaryFile() as start:
            start.write(case.input_data())
            start.flush()
            bot = interactor.process
            command = [os.environ["JUDGE"], "interact", "--style", "testlib", start.name, os.devnull]
            judge = subprocess.run(command, stdin=bot.stdout, stdout=bot.stdin, stderr=subprocess.PIPE)
        if judge.returncode not in (0, 1, 2):
            raise RuntimeError(judge.stderr)
        return CheckerResult(judge.returncode == 0, case.points, judge.stderr.decode().splitlines()[0])
