// Prints the side in lower case.
#include <iostream>

int main() {
    int n, l, r, u, v;
    std::cin >> n >> l >> r;
    std::cout << "first" << std::endl;
    std::cin >> u >> v;
}
