// Has a turn and says that it has none.
#include <iostream>

int main() {
    int n, l, r, u, v;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl << "0 0" << std::endl;
    std::cin >> u >> v;
}
