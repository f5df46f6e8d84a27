"""Program INPUT OUTPUT between two runs: prints the input of the second."""

import sys

with open(sys.argv[2]) as file:
    print("second", file.read().strip(), sep="\n")
