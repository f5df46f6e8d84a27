# Writes a line every 0.2 s forever, also after the bot has ended.

import time

while True:
    print(0, flush=True)
    time.sleep(0.2)
