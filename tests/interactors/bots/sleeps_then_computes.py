# Sleeps for longer than the idle limit, and then computes.

import time

word = input()
time.sleep(0.6)
start = time.process_time()
while time.process_time() - start < 2.5:
    pass
print(word, flush=True)
