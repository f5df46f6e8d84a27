# Hidden number, a tester that starts the bot itself: starts_bot.py -f INPUT BOT ... It logs the lines to stdout, and exits
# with 0 if the bot is right, else with 1.

import argparse
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("-f", dest="input", required=True)
parser.add_argument("program", nargs="+")
args = parser.parse_args()
with open(args.input) as file:
    n, x = map(int, file.read().split())


def send(bot, line):
    print("to the bot:", line, flush=True)
    bot.stdin.write(f"{line}\n")
    bot.stdin.flush()


def receive(bot):
    line = bot.stdout.readline()
    assert line, "the bot ended too early"
    print("from the bot:", line.rstrip("\n"), flush=True)
    return line.split()


def play(bot):
    send(bot, n)
    for _ in range(40):
        mark, number = receive(bot)
        if mark == "!":
            assert int(number) == x, f"the number is {x}, not {number}"
            assert bot.stdout.readline() == "", "the bot prints more after its answer"
            code = bot.wait()
            assert code == 0, f"exit code {code}"
            return
        send(bot, "<" if x < int(number) else ">" if x > int(number) else "=")
    assert False, "too many queries"


with subprocess.Popen(
    " ".join(args.program), shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
) as bot:
    try:
        play(bot)
    except (AssertionError, BrokenPipeError) as error:
        print("Error:", error)
        bot.kill()
        sys.exit(1)
print("right")
