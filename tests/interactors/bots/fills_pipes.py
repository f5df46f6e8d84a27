# It sends 500,000 queries and reads no reply, so that the pipes in both directions are full.

for _ in range(500_000):
    print("? 500")
print("! 777")
