"""A testing tool that starts the solution itself: testing_tool.py -f INPUT PROGRAM ARGUMENTS...

Contestants can run it without a judge, as in: python3 testing_tool.py -f tests/1.in python3 right.py

The problem: guess a number x from 1 to n with at most k guesses.

    INPUT             n k x    the file with the test
    the tool          n k      the first line that the solution reads
    then in turn
    the solution      y        a guess from 1 to n
    the tool          <        x is less than y; or ">": x is greater
    at last           =        x is y: the solution has to end

A solution whose guess is malformed, or that has no guess left, is killed. To make it the tool of your problem, change
this table, the function `play`, and the solutions. The exit codes are 0 (accepted) and 1 (rejected). The judge takes
a score from the last line, if it is the word Score, an equals sign and a number; a tool that has such a line must
print it for each accepted solution.
"""

import argparse
import re
import subprocess
import sys

ACCEPTED, REJECTED = 0, 1


class Rejected(Exception):
    """The solution is wrong. The text says why: the contestant sees it."""


class Solution:
    """The running solution. Each line of the conversation is printed too."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line):
        print("to the solution:", line, flush=True)
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            pass  # The solution has ended. Its last lines can still be read.

    def read_number(self, low, high):
        """Reads a line of the solution: a number from `low` to `high`, and nothing else."""
        line = self.process.stdout.readline(1000)  # A solution may write a line without an end.
        print("from the solution:", line.decode(errors="replace").rstrip("\n"), flush=True)
        if not line:
            raise Rejected("the output of the solution has ended")
        # A number is checked before it is converted: int() raises an exception for text and for thousands of digits.
        if not re.fullmatch(rb"-?[0-9]{1,18}\s*", line):
            raise Rejected(f"expected a number, got {line[:40]!r}")
        number = int(line)
        if not low <= number <= high:
            raise Rejected(f"expected a number from {low} to {high}, got {number}")
        return number


def play(solution, n, k, x):
    """The conversation. Returns the message for an accepted solution."""
    solution.send(f"{n} {k}")
    for guesses in range(1, k + 1):
        y = solution.read_number(1, n)
        if y == x:
            solution.send("=")
            return f"{guesses} guesses"
        if guesses < k:
            solution.send("<" if x < y else ">")
    raise Rejected(f"{k} guesses, and none was {x}")


def main():
    parser = argparse.ArgumentParser(description="Run a solution on a test.")
    parser.add_argument("-f", dest="input", required=True, help="the file with the test")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="the solution and its arguments")
    args = parser.parse_args()
    with open(args.input) as file:
        n, k, x = map(int, file.read().split())
    solution = Solution(args.program)
    try:
        code, message = ACCEPTED, play(solution, n, k, x)
        solution.process.stdin.close()
        exit_code = solution.process.wait()
        if exit_code != 0:
            code, message = REJECTED, f"Error: the solution exited with code {exit_code}"
    except Rejected as error:
        # The solution may go on writing, or wait for a reply.
        solution.process.kill()
        code, message = REJECTED, f"Error: {error}"
    print(message)
    sys.exit(code)


main()
