"""A manager whose bot speaks first. It opens its pipes in the other order than that of its arguments, and late."""

import sys

to_bot, from_bot = sys.argv[1:]
output = open(from_bot)
word = output.readline().strip()
input_ = open(to_bot, "w")
print(word[::-1], file=input_, flush=True)
print(0.5 if output.readline().strip() == word[::-1] else 0)
print("translate:partial", file=sys.stderr)
