# checker.py INPUT OUTPUT ANSWER: at most 10 questions, and the right number.

import sys

with open(sys.argv[2]) as file:
    questions, number = map(int, file.read().split())
with open(sys.argv[3]) as file:
    answer = int(file.read())
if number != answer or questions > 10:
    print(f"wrong answer {number} after {questions} questions", file=sys.stderr)
    sys.exit(1)
print("ok", file=sys.stderr)
