// Exits with an error at its first turn.
#include <iostream>

int main() {
    int n, l, r;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    return 1;
}
