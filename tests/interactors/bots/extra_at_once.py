# It prints one more line together with the final answer, in one write.

low, high = 1, int(input())
while True:
    q = (low + high) // 2
    print("?", q, flush=True)
    reply = input()
    if reply == "=":
        break
    if reply == "<":
        high = q - 1
    else:
        low = q + 1
print(f"! {q}\nfound {q}", flush=True)
