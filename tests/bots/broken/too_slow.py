# It plays all possible games to their end, and remembers no position.

import sys

sys.setrecursionlimit(10000)


def winning_move(cards, l, r):
    # Returns a move after which the other player loses, or None. `cards` says which cards are left.
    for y in range(l, r + 1):
        for x in range(len(cards) - y + 1):
            if all(cards[x : x + y]) and winning_move(take(cards, x, y), l, r) is None:
                return x, y
    return None


def take(cards, x, y):
    return cards[:x] + (False,) * y + cards[x + y :]


n, l, r = map(int, input().split())
cards = (True,) * n
move = winning_move(cards, l, r)
print("First" if move else "Second", flush=True)
is_mine = move is not None
while True:
    if is_mine:
        x, y = winning_move(cards, l, r)
        print(x + 1, y, flush=True)
    else:
        x, y = map(int, input().split())
        if x <= 0:
            break
        x -= 1
    cards = take(cards, x, y)
    is_mine = not is_mine
