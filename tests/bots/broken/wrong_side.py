# It always chooses Second.

n, l, r = map(int, input().split())
print("Second", flush=True)
left = [True] * n
while True:
    x, y = map(int, input().split())
    if x <= 0:
        break
    left[x - 1 : x - 1 + y] = [False] * y
    x = left.index(True) + 1 if True in left else 0
    print(x, min(x, 1), flush=True)
    if x > 0:
        left[x - 1] = False
