// A correct bot: binary search.

#include <iostream>

int main() {
    int low = 1, high, q;
    char reply = 0;
    std::cin >> high;
    do {
        q = (low + high) / 2;
        std::cout << "? " << q << std::endl;
        std::cin >> reply;
        reply == '<' ? high = q - 1 : low = q + 1;
    } while (std::cin && reply != '=');
    std::cout << "! " << q << std::endl;
}
