// It divides by R - L - 1, which is 0.

#include <iostream>

int main() {
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    y = n % (r - l - 1) + 1;
    std::cout << (n - y) / 2 + 1 << ' ' << y << std::endl;
    while (std::cin >> x >> y && x > 0) {
        std::cout << n - x - y + 2 << ' ' << y << std::endl;
    }
}
