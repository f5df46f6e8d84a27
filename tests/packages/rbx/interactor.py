# interactor.py INPUT OUTPUT ANSWER: "? q" is answered by "<", ">" or "="; "! x" ends the conversation. OUTPUT gets the
# number of questions and x, for the checker.

import sys


def end(code, message):
    print(message, file=sys.stderr)
    sys.exit(code)


with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
print(n, flush=True)
questions = 0
for line in sys.stdin:
    word, _, number = line.strip().partition(" ")
    if word not in ("?", "!") or not number.isdigit() or len(number) > 9:
        end(2, "wrong output format malformed line")
    number = int(number)
    if word == "!":
        with open(sys.argv[2], "w") as file:
            print(questions, number, file=file)
        end(0, f"ok {questions} questions")
    questions += 1
    try:
        print("<" if x < number else ">" if x > number else "=", flush=True)
    except BrokenPipeError:
        pass
end(1, "wrong answer no answer")
