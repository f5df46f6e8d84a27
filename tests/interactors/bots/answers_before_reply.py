# Correct, but it prints the last query and the final answer together, before the last reply.

low, high = 1, int(input())
while low < high:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        low = high = q
    elif reply == "<":
        high = q - 1
    else:
        low = q + 1
print(f"? {low}\n! {low}", flush=True)
input()
