# An infinite recursion before the first query.


def levels(n):
    return 1 + levels(n // 2)


n = int(input())
print("?", levels(n), flush=True)
