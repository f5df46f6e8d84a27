# Writes a line every now and then, without an end, also after the bot has ended.

import time

while True:
    print(0, flush=True)
    time.sleep(0.2)
