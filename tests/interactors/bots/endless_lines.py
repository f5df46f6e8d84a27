# It prints queries forever (at most 1,000,000), and reads nothing.

for _ in range(1_000_000):
    print("? 1", flush=True)
