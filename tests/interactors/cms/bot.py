"""Process 0 sends a number to process 1, as the manager in judge/starters/cms asks for.

bot.py MODE PLACE [READ WRITE] INDEX: a mode such as crash1 is a mistake of process 1. PLACE is a file.
"""

import sys
import time

mode, place, *pipes, index = sys.argv[1:]
input_, output = (open(pipes[0]), open(pipes[1], "w")) if pipes else (sys.stdin, sys.stdout)
mistake = mode[:-1] if mode[-1] == index else ""


def word_of(number):
    return f"{int(number):b}".translate(str.maketrans("01", "ab"))


text = input_.readline().strip()
if mistake == "crash":
    sys.exit(1)
if mistake == "loops":
    while True:
        pass
if mistake == "hangs":
    time.sleep(100)
if mistake == "reads" and not input_.readline():
    sys.exit(1)
if mode == "cheats":
    if index == "0":
        open(place, "w").write(text)
        line = "a"
    else:
        line = open(place).read()
elif index == "0":
    line = word_of(text)
else:
    line = str(int(text.translate(str.maketrans("ab", "01")), 2) + (mistake == "wrong"))
print(line, file=output, flush=mistake != "keeps")
if mistake == "keeps":
    input_.readline()
if pipes:
    print("stdout is not for the manager")
