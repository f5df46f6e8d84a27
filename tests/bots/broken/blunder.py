# It chooses the right side, and then takes the first card that is left.

n, l, r = map(int, input().split())
print("First", flush=True)
left = [True] * n
while True:
    x = left.index(True) + 1 if True in left else 0
    print(x, min(x, 1), flush=True)
    if x > 0:
        left[x - 1] = False
    x, y = map(int, input().split())
    if x <= 0:
        break
    left[x - 1 : x - 1 + y] = [False] * y
