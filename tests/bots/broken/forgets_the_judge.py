# It forgets which cards the judge has taken, and takes its own from left to right.

n, l, r = map(int, input().split())
print("First", flush=True)
for x in range(1, n, r):
    print(x, r, flush=True)
    if input() in ("0 0", "-1 -1"):
        break
