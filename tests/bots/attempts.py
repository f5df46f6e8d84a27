"""Not a bot, but what the bots share that reach for more than they may."""

import sys


def tell(attempts):
    """Makes the attempts, tells on one line of stderr which of them worked, and ends with code 7."""
    worked = []
    for name, attempt in attempts.items():
        try:
            attempt()
            worked.append(name)
        except OSError:
            pass
    print("worked:", *worked, file=sys.stderr)
    sys.exit(7)
