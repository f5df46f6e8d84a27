# It does not read n, so it takes the line with n for the reply to its first query.

low, high = 1, 1000
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply not in ("<", ">"):
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print("!", q, flush=True)
