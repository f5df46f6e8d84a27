// Computes forever at its first turn.
#include <iostream>

int main() {
    int n, l, r;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    for (volatile int thought = 0;; thought = thought + 1) {
    }
}
