# Allocates a table that is larger than the memory limit.
all_rows = bytearray(300_000_000)
print("First")
