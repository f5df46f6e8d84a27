// It mirrors a move one place too far to the right.

#include <iostream>

int main() {
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    y = r - (n - r) % 2;
    std::cout << (y >= l ? "First" : "Second") << std::endl;
    if (y >= l) std::cout << (n - y) / 2 + 1 << ' ' << y << std::endl;
    while (std::cin >> x >> y && x > 0) {
        std::cout << n - x - y + 3 << ' ' << y << std::endl;
    }
}
