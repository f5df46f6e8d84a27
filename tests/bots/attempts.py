"""Not a bot: a module of the bots that try forbidden operations."""

import sys


def report_attempts(attempts):
    """Makes the attempts, prints on one line of stderr which of them worked, and exits with code 7."""
    worked = []
    for name, attempt in attempts.items():
        try:
            attempt()
            worked.append(name)
        except OSError:
            pass
    print("worked:", *worked, file=sys.stderr)
    sys.exit(7)
