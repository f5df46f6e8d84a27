// It does not check for the end of the game, and waits for another move.

#include <iostream>

int main() {
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    y = 2 - n % 2;
    std::cout << (n - y) / 2 + 1 << ' ' << y << std::endl;
    for (;;) {
        std::cin >> x >> y;
        if (x <= 0) continue;
        std::cout << n - x - y + 2 << ' ' << y << std::endl;
    }
}
