# Writes a line every 0.2 s, forever.

import time

while True:
    print(5, flush=True)
    time.sleep(0.2)
