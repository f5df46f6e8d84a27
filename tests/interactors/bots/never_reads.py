# It sends 50,000 queries and reads no reply, so that its input fills. The final answer is right for inputs/2.in.

for _ in range(50_000):
    print("? 500", flush=True)
print("! 777", flush=True)
