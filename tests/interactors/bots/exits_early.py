# It exits with code 0 after its first query.

n = int(input())
print("?", (1 + n) // 2, flush=True)
