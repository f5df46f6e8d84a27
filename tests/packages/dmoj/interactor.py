# interactor.py INPUT ANSWER: "? q" is answered by "<", ">" or "="; "! x" ends the conversation. It need not flush.

import sys


def end(code, message):
    print(message, file=sys.stderr)
    sys.exit(code)


with open(sys.argv[1]) as file:
    n = int(file.read())
with open(sys.argv[2]) as file:
    x = int(file.read())
print(n)
questions = 0
for line in sys.stdin:
    word, _, number = line.strip().partition(" ")
    if word not in ("?", "!") or not number.isdigit() or len(number) > 9:
        end(1, "malformed line")
    number = int(number)
    if word == "!":
        end(0 if number == x and questions <= 10 else 1, f"{number} after {questions} questions")
    questions += 1
    try:
        print("<" if x < number else ">" if x > number else "=")
    except BrokenPipeError:
        pass
end(1, "no answer")
