# Hidden number, plain style: plain.py INPUT. It exits with 0 (accepted) or 1 (wrong answer); the message is on stderr.

import os
import re
import sys

MAX_QUERIES = 40


def send(reply):
    try:
        os.write(1, f"{reply}\n".encode())
    except OSError:
        pass  # the bot may have ended


def wrong(message):
    send(-1)
    sys.exit(f"wrong: {message}")


with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
send(n)
queries = 0
while line := sys.stdin.buffer.readline():
    match = re.fullmatch(rb"([?!]) (-?\d{1,30})\s*", line)
    if not match:
        start = line[:40].decode("ascii", "backslashreplace").rstrip()
        wrong(f'malformed line "{start}"')
    number = int(match[2])
    if match[1] == b"!":
        if number != x:
            wrong(f"the number is {x}, not {number}")
        print(f"{queries} queries", file=sys.stderr)
        sys.exit()
    queries += 1
    if queries > MAX_QUERIES:
        wrong(f"more than {MAX_QUERIES} queries")
    if not 1 <= number <= n:
        wrong(f"query {number} is outside 1..{n}")
    send("<" if x < number else ">" if x > number else "=")
wrong("unexpected end of the bot's output")
