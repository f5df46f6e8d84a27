print("hello", flush=True)
print(input(), flush=True)
