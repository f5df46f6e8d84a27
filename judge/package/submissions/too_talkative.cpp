// Wins some starts by symmetry, but prints a line after the end of the game.
#include <iostream>

int main() {
    int n, l, r, u, v;
    std::cin >> n >> l >> r;
    int y = (n - l) % 2 == 0 || l == r ? l : l + 1;
    int x = (n - y) / 2 + 1;
    std::cout << "First" << std::endl;
    do {
        std::cout << x << " " << y << std::endl;
        if (!(std::cin >> u >> v)) return 0;
        x = n + 2 - u - v;
        y = v;
    } while (u > 0);
    std::cout << "I have won" << std::endl;
}
