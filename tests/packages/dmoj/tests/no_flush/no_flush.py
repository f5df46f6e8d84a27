import sys

n = int(sys.stdin.readline())
print("?", (n + 1) // 2)
if sys.stdin.readline().strip() == "=":
    print("!", (n + 1) // 2)
