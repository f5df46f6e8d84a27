"""Not a bot: a module of the bots and interactors that try forbidden operations."""

import sys


def print_attempts(attempts, file):
    """Makes the attempts, and prints on one line which of them worked."""
    worked = []
    for name, attempt in attempts.items():
        try:
            attempt()
            worked.append(name)
        except OSError:
            pass
    print("worked:", *worked, file=file)


def report_attempts(attempts):
    """Makes the attempts, prints on stderr which of them worked, and exits with code 7."""
    print_attempts(attempts, sys.stderr)
    sys.exit(7)
