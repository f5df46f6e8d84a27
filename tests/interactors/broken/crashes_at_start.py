# It crashes at the start, because the answer file has another name. Exit code 1 is neither 42 nor 43.

import sys

answer = int(open(sys.argv[2] + ".txt").read())
