# A query of 23 digits.

input()
print("?", 10**22, flush=True)
input()
