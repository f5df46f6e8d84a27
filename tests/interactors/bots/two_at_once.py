# Correct, but it sends two queries before it reads the two replies.

low, high = 1, int(input())
while low < high:
    left, right = (2 * low + high) // 3, (low + 2 * high) // 3
    print(f"? {left}\n? {right}", flush=True)
    first, second = input(), input()
    if first == "<":
        high = left - 1
    elif first == "=":
        low = high = left
    elif second == "<":
        low, high = left + 1, right - 1
    elif second == "=":
        low = high = right
    else:
        low = right + 1
print("!", low, flush=True)
