// Always chooses First and takes the leftmost cards.
#include <iostream>
#include <vector>

int main() {
    int n, l, r, u, v;
    std::cin >> n >> l >> r;
    std::vector<bool> taken(n + 2);
    std::cout << "First" << std::endl;
    do {
        int x = 0;
        for (int card = 1, free = 0; card <= n && x == 0; card++) {
            free = taken[card] ? 0 : free + 1;
            if (free == l) x = card - l + 1;
        }
        const int y = x == 0 ? 0 : l;
        std::cout << x << " " << y << std::endl;
        for (int card = x; card < x + y; card++) taken[card] = true;
        if (!(std::cin >> u >> v)) return 0;
        for (int card = u; card > 0 && card < u + v; card++) taken[card] = true;
    } while (u > 0);
}
