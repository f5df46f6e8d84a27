import re
import sys

match = re.fullmatch(r"([1-9][0-9]{0,8}) ([1-9][0-9]{0,8})\n", sys.stdin.read())
sys.exit(42 if match and int(match[2]) <= int(match[1]) else 43)
