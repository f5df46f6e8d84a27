// An index is beyond the end of a vector.

#include <iostream>
#include <vector>

int main() {
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    y = 2 - n % 2;
    std::cout << (n - y) / 2 + 1 << ' ' << y << std::endl;
    std::vector<bool> left(n, true);
    while (std::cin >> x >> y && x > 0) {
        left.at(n) = false;
        std::cout << n - x - y + 2 << ' ' << y << std::endl;
    }
}
