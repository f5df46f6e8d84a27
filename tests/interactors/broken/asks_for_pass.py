# Asks for another pass, which only a problem package can allow.

import sys

with open(sys.argv[3] + "nextpass.in", "w") as file:
    print("2", file=file)
sys.exit(42)
