# Loses values of more than six digits.

values = [int(input()) for _ in range(int(input()))]
print(max([value for value in values if value < 1000000], default=0))
