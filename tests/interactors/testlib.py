# Hidden number, testlib style: testlib.py INPUT OUTPUT [ANSWER]. It exits with 0, 1, 2 or 8, as testlib does.

import os
import re
import sys

MAX_QUERIES = 40
OK, WRONG_ANSWER, WRONG_FORMAT, UNEXPECTED_END = 0, 1, 2, 8
PREFIX = {OK: "ok", WRONG_ANSWER: "wrong answer", WRONG_FORMAT: "wrong output format", UNEXPECTED_END: "unexpected eof"}


def send(reply):
    try:
        os.write(1, f"{reply}\n".encode())
    except OSError:
        pass  # the bot may have ended


def play(n, x, log):
    """Returns the exit code and the message."""
    send(n)
    queries = 0
    while line := sys.stdin.buffer.readline():
        match = re.fullmatch(rb"([?!]) (-?\d{1,30})\s*", line)
        if not match:
            start = line[:40].decode("ascii", "backslashreplace").rstrip()
            return WRONG_FORMAT, f'malformed line "{start}"'
        mark, number = match[1], int(match[2])
        print(mark.decode(), number, file=log)
        if mark == b"!":
            return (OK, f"{queries} queries") if number == x else (WRONG_ANSWER, f"the number is {x}, not {number}")
        queries += 1
        if queries > MAX_QUERIES:
            return WRONG_ANSWER, f"more than {MAX_QUERIES} queries"
        if not 1 <= number <= n:
            return WRONG_ANSWER, f"query {number} is outside 1..{n}"
        send("<" if x < number else ">" if x > number else "=")
    return UNEXPECTED_END, "unexpected end of the bot's output"


with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
with open(sys.argv[2], "w") as log:
    code, message = play(n, x, log)
if code != OK:
    send(-1)
print(PREFIX[code], message, file=sys.stderr)
sys.exit(code)
