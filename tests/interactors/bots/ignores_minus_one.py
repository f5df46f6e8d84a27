# Goes on after -1.

input()
while True:
    print("?", 1, flush=True)
    input()
