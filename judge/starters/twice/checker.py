"""The checker of a problem that runs a solution twice: checker.py INPUT OUTPUT ANSWER

The problem: remember a number x by a word of at most 30 letters a and b.

    the first run     reads the lines "first" and x, and prints the word
    the second run    reads the lines "second" and the word, and prints x

The checker runs after each of them. INPUT is what the run has read, OUTPUT what it has printed, and ANSWER the file with
x. After the first run, what the checker prints is the input of the second. To make it the checker of your problem, change
these lines and the function `check`. The exit codes are those of testlib.h: 0 (accepted), 1 (wrong answer), and 3 if the
checker itself fails.
"""

import sys

ACCEPTED, WRONG_ANSWER, FAILED = 0, 1, 3


def check(run, output, answer):
    """Returns why the output of the run is wrong; None if it is right."""
    if run == "first":
        if not 1 <= len(output) <= 30 or set(output) - set("ab"):
            return "not a word of at most 30 letters a and b"
        print("second", output, sep="\n")
    elif output != answer:
        return f"expected the number {answer}, found {output[:40]!r}"
    return None


def main():
    try:
        with open(sys.argv[1]) as file:
            run = file.readline().strip()
        with open(sys.argv[2], errors="replace") as file:
            output = file.read().strip()
        with open(sys.argv[3]) as file:
            answer = file.read().strip()
    except (OSError, IndexError) as error:
        print(error, file=sys.stderr)
        sys.exit(FAILED)
    fault = check(run, output, answer)
    if fault:
        print(fault, file=sys.stderr)
    sys.exit(WRONG_ANSWER if fault else ACCEPTED)


main()
