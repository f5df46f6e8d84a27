# Hidden number, a tester that starts the bot itself and gives a score: scores_bot.py BOT [ARGUMENTS] <INPUT. It copies the
# bot's lines to stdout. It exits with 0, with the line "Score = 0" if the bot is wrong, and with 1 if the bot crashed.

import subprocess
import sys

n, x = map(int, sys.stdin.read().split())
bot = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def send(line):
    bot.stdin.write(f"{line}\n")
    bot.stdin.flush()


def fail(message):
    if bot.poll():
        sys.exit(1)
    bot.kill()
    print(message, file=sys.stderr)
    print("Score = 0", file=sys.stderr)
    sys.exit(0)


score = 100
send(n)
while True:
    line = bot.stdout.readline()
    if not line:
        fail("the bot printed nothing more")
    print(line, end="")
    mark, number = line.split()
    if mark == "!":
        break
    score -= 2
    if score == 0:
        fail("too many queries")
    send("<" if x < int(number) else ">" if x > int(number) else "=")
if int(number) != x:
    fail(f"the number is {x}, not {number}")
bot.stdin.close()
bot.wait()
print("Score =", score, file=sys.stderr)
