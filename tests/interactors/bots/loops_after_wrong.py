# Its first query is 0. It loops after the -1 that follows (for 40 s).

import time

input()
print("? 0", flush=True)
input()
end = time.monotonic() + 40
while time.monotonic() < end:
    pass
