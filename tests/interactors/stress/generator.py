# Prints n and n values. From the seed 3 on one of the values is 1000000.

import random
import sys

seed = int(sys.argv[1])
random.seed(seed)
values = [random.randrange(1, 1000000) for _ in range(1000)]
if seed >= 3:
    values[random.randrange(1000)] = 1000000
print(len(values))
print("\n".join(map(str, values)))
