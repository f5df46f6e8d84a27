// Ends with an error where its turn is due.
#include <iostream>

int main() {
    int n, l, r;
    std::cin >> n >> l >> r;
    std::cout << "First" << std::endl;
    return 1;
}
