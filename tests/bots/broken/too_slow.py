# It tries all games to the end, and remembers no position.

def wins(cards, l, r):
    """Whether the player to move wins; cards says which cards are left."""
    for y in range(l, r + 1):
        for x in range(len(cards) - y + 1):
            if all(cards[x : x + y]) and not wins(cards[:x] + (False,) * y + cards[x + y :], l, r):
                return True
    return False


n, l, r = map(int, input().split())
print("First" if wins((True,) * n, l, r) else "Second", flush=True)
