# It waits for the judge's answer to its "0 0", although "0 0" ends a game of misère play.

import time

input()
print("Second", flush=True)
input()
print("0 0", flush=True)
try:
    input()
except EOFError:
    time.sleep(100)
