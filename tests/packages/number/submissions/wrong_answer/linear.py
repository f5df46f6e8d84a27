n = int(input())
for q in range(1, n + 1):
    print("?", q, flush=True)
    try:
        reply = input()
    except EOFError:
        # The validator has rejected. Some judges call what happens after that a run-time error.
        break
    if reply == "=":
        print("!", q, flush=True)
        break
