"""Not a bot: shared by the bots that try what they may not do."""

import sys


def tell(attempts):
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
