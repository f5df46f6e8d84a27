import sys

import codec

text = input()
print(codec.encode(int(text)) if sys.argv[-1] == "0" else codec.decode(text), flush=True)
