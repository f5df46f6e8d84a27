# Hidden number, icpc style: icpc.py INPUT ANSWER FEEDBACKDIR. It exits with 42 (accepted) or 43 (wrong answer).

import os
import re
import sys

MAX_QUERIES = 40


def send(reply):
    try:
        os.write(1, f"{reply}\n".encode())
    except OSError:
        pass  # the bot may have ended


def end(code, judge, team):
    for name, message in ("judgemessage.txt", judge), ("teammessage.txt", team):
        with open(os.path.join(sys.argv[3], name), "w") as file:
            print(message, file=file)
    if code == 43:
        send(-1)
    sys.exit(code)


with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
send(n)
queries = 0
while line := sys.stdin.buffer.readline():
    match = re.fullmatch(rb"([?!]) (-?\d{1,30})\s*", line)
    if not match:
        start = line[:40].decode("ascii", "backslashreplace").rstrip()
        end(43, f'malformed line "{start}"', "malformed line")
    number = int(match[2])
    if match[1] == b"!" and number == x:
        end(42, f"{queries} queries", "correct")
    if match[1] == b"!":
        end(43, f"the number is {x}, not {number}", "wrong number")
    queries += 1
    if queries > MAX_QUERIES:
        end(43, f"more than {MAX_QUERIES} queries", "too many queries")
    if not 1 <= number <= n:
        end(43, f"query {number} is outside 1..{n}", "query out of range")
    send("<" if x < number else ">" if x > number else "=")
end(43, "unexpected end of the bot's output", "no answer")
