// "\n" does not flush. Reading from cin would flush cout, but cin is no longer tied to cout.

#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    std::cout << "First" << '\n';
    y = 2 - n % 2;
    std::cout << (n - y) / 2 + 1 << ' ' << y << '\n';
    while (std::cin >> x >> y && x > 0) {
        std::cout << n - x - y + 2 << ' ' << y << '\n';
    }
}
