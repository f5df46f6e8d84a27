# It tries all numbers in turn: too many queries.

n = int(input())
for q in range(1, n + 1):
    print("?", q, flush=True)
    if input() == "=":
        break
print("!", q, flush=True)
