// It repeats the same query forever: a range of two numbers does not shrink.

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
