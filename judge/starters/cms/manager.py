"""The manager of a problem with two processes: manager.py FROM0 TO0 FROM1 TO1

The problem: tell the other process a number x by a word of at most 30 letters a and b.

    process 0    reads x, and prints the word
    process 1    reads the word, and prints x

The solution is started twice, with its number, 0 or 1, as its argument. The arguments of the manager are named pipes: what
process 0 prints, what it reads, and the same for process 1. The input is on stdin, and in input.txt. The first line that
the manager prints is a score from 0 to 1; its message is the first line that it writes to stderr. To make it the manager of
your problem, change these lines and the function `play`.
"""

import sys


class Process:
    """One process of the solution."""

    def __init__(self, output, input):
        # In the order in which the process opens its ends, because each waits for the other.
        self.input = open(input, "wb", buffering=0)
        self.output = open(output, "rb")

    def send(self, line):
        try:
            self.input.write(f"{line}\n".encode())
        except OSError:
            pass  # The process has ended. Its last lines can still be read.

    def read_line(self):
        line = self.output.readline(1000)  # A process may write a line without an end.
        return line.decode(errors="replace").strip()


def play(first, second, x):
    """The conversations. Returns why the solution is wrong; None if it is right."""
    first.send(x)
    word = first.read_line()
    if not 1 <= len(word) <= 30 or set(word) - set("ab"):
        return "not a word of at most 30 letters a and b"
    second.send(word)
    found = second.read_line()
    return None if found == x else f"expected the number {x}, found {found[:40]!r}"


def main():
    x = sys.stdin.readline().strip()
    from_first, to_first, from_second, to_second = sys.argv[1:]
    fault = play(Process(from_first, to_first), Process(from_second, to_second), x)
    print(0 if fault else 1)
    print(fault or "translate:success", file=sys.stderr)


main()
