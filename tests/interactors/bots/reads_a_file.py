# It reads n from a file that is not there.

n = int(open("input.txt").read())
print("?", (1 + n) // 2, flush=True)
