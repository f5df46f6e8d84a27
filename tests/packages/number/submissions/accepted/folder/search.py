def main():
    low, high = 1, int(input())
    while low < high:
        middle = (low + high) // 2
        print("?", middle, flush=True)
        reply = input()
        low, high = {"=": (middle, middle), "<": (low, middle - 1), ">": (middle + 1, high)}[reply]
    print("!", low, flush=True)
