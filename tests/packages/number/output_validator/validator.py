# validator.py INPUT ANSWER FEEDBACKDIR [max_questions=K]: "? q" is answered by "<", ">" or "="; "! x" ends the game.

import sys


def end(code, message):
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        print(message, file=file)
    sys.exit(code)


with open(sys.argv[1]) as file:
    n, x = map(int, file.read().split())
max_questions = next((int(word.split("=")[1]) for word in sys.argv[4:] if word.startswith("max_questions=")), 100)
print(n, flush=True)
questions = 0
for line in sys.stdin:
    word, _, number = line.strip().partition(" ")
    if word not in ("?", "!") or not number.isdigit():
        end(43, "malformed line")
    number = int(number)
    if word == "!":
        end(42 if number == x else 43, f"the number is {x}, the answer {number}")
    questions += 1
    if questions > max_questions:
        end(43, f"more than {max_questions} questions")
    try:
        print("<" if x < number else ">" if x > number else "=", flush=True)
    except BrokenPipeError:
        pass
end(43, "no answer")
