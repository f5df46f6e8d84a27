// Prints 0 0 at its first turn, although it can take cards.
#include <iostream>

int main() {
    int n, l, r, u, v;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl << "0 0" << std::endl;
    std::cin >> u >> v;
}
