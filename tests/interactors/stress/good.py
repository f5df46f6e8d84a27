# A correct bot.

print(max(int(input()) for _ in range(int(input()))))
