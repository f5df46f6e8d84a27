// A loop prints forever without ending a line.

#include <iostream>

int main() {
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    y = 2 - n % 2;
    std::cout << (n - y) / 2 + 1 << ' ' << y << std::endl;
    for (;;) {
        std::cout << n << ' ' << y << ' ';
    }
}
