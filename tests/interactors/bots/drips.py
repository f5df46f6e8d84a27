# Writes a line every now and then, without an end.

import time

while True:
    print(5, flush=True)
    time.sleep(0.2)
