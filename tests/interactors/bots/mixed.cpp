// It writes a part of each line by cout and the rest by printf, which do not share a buffer here.

#include <cstdio>
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    int low = 1, high;
    std::cin >> high;
    for (;;) {
        int q = (low + high) / 2;
        std::cout << "? ";
        printf("%d\n", q);
        fflush(stdout);
        std::string reply;
        if (!(std::cin >> reply) || reply == "=") break;
        if (reply == "<") high = q - 1; else low = q + 1;
    }
}
