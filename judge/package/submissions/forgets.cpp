// Takes cards from left to right and ignores what the judge has taken.
#include <iostream>

int main() {
    int n, l, r, u, v;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    for (int x = 1; x + l - 1 <= n; x += l) {
        std::cout << x << " " << l << std::endl;
        if (!(std::cin >> u >> v) || u <= 0) return 0;
    }
    std::cout << "0 0" << std::endl;
}
