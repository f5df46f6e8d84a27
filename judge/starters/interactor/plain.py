"""An interactor that is any program: here it is called as interactor.py INPUT

The problem: guess a number x from 1 to n with at most k guesses.

    INPUT             n k x    the file with the test
    the interactor    n k      the first line that the bot reads
    then in turn
    the bot           y        a guess from 1 to n
    the interactor    <        x is less than y; or ">": x is greater
    at last           =        x is y: the bot has to end; or "-1": the guess was malformed, or no guess is left

To make it the interactor of your problem, change this table, the function `play`, and the bots. The other functions
can stay. The exit codes are 0 (accepted) and 1 (wrong answer), and the last lines on stderr are the message. Raise no
other exception: it ends Python with exit code 1 too, so it looks like a wrong answer.
"""

import os
import re
import sys

ACCEPTED, WRONG_ANSWER = 0, 1


class WrongAnswer(Exception):
    """The bot is wrong. The text says why: the judge shows it."""


def send(line):
    """Sends a line to the bot. os.write has no buffer, so no flush is needed."""
    try:
        os.write(1, f"{line}\n".encode())
    except OSError:
        pass  # The bot has ended. Continue: its last lines may decide, and they can still be read.


def read_number(low, high):
    """Reads a line of the bot: a number from `low` to `high`, and nothing else."""
    line = sys.stdin.buffer.readline(1000)  # A bot may write a line without an end.
    if not line:
        raise WrongAnswer("the bot's output has ended")
    # A number is checked before it is converted: int() raises an exception for text and for thousands of digits.
    if not re.fullmatch(rb"-?[0-9]{1,18}\s*", line):
        raise WrongAnswer(f"expected a number, got {line[:40]!r}")
    number = int(line)
    if not low <= number <= high:
        raise WrongAnswer(f"expected a number from {low} to {high}, got {number}")
    return number


def play(n, k, x):
    """The conversation. Returns the message for an accepted bot."""
    send(f"{n} {k}")
    for guesses in range(1, k + 1):
        y = read_number(1, n)
        if y == x:
            send("=")
            return f"{guesses} guesses"
        if guesses < k:
            send("<" if x < y else ">")
    raise WrongAnswer(f"{k} guesses, and none was {x}")


def main():
    with open(sys.argv[1]) as file:
        n, k, x = map(int, file.read().split())
    try:
        code, message = ACCEPTED, play(n, k, x)
    except WrongAnswer as error:
        # Tell the bot that the conversation is over, because it may be waiting for a reply.
        send(-1)
        code, message = WRONG_ANSWER, str(error)
    print(message, file=sys.stderr)
    sys.exit(code)


main()
