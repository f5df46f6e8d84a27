# Does not read the reply to its fourth question, so that each later reply is one line off.

low, high, count = 1, int(input()), 0
while low < high:
    q = (low + high + 1) // 2
    count += 1
    if count == 4:
        print("?", q)
    print("?", q, flush=True)
    low, high = (low, q - 1) if input() == "<" else (q, high)
print("!", low, flush=True)
