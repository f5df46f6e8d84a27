// An endless recursion overflows the stack.

#include <iostream>

// Returns the number of games. The mistake: a move that takes nothing is counted too.
long games(int n, int l, int r) {
    long sum = 0;
    for (int y = l - 1; y <= r; ++y) sum += games(n - y, l, r) + n;
    return sum;
}

int main() {
    int n, l, r, x, y;
    std::cin >> n >> l >> r;
    std::cerr << games(n, l, r) << std::endl;
    std::cout << "First" << std::endl;
    y = 2 - n % 2;
    std::cout << (n - y) / 2 + 1 << ' ' << y << std::endl;
    while (std::cin >> x >> y && x > 0) {
        std::cout << n - x - y + 2 << ' ' << y << std::endl;
    }
}
