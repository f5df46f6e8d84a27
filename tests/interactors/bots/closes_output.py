# It closes its output after the first query, and sleeps.

import os
import time

print("?", input(), flush=True)
os.close(1)
time.sleep(50)
