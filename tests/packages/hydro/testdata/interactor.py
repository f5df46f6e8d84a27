# interactor.py INPUT OUTPUT ANSWER: "? q" is answered by "<", ">" or "="; "! x" ends the conversation.

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
        if number != x:
            end(1, f"wrong answer {number}")
        if questions > 10:
            end(7, f"points 0.5 {questions} questions")
        end(0, f"ok {questions} questions")
    questions += 1
    try:
        print("<" if x < number else ">" if x > number else "=", flush=True)
    except BrokenPipeError:
        pass
end(1, "wrong answer no answer")
