// "\n" does not flush. Reading from cin would flush cout, but cin is no longer tied to cout.

#include <iostream>
#include <unistd.h>

int main() {
    alarm(50); // ends the bot if nobody else does
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int low = 1, high, q;
    char reply;
    std::cin >> high;
    do {
        q = (low + high) / 2;
        std::cout << "? " << q << '\n';
        if (!(std::cin >> reply)) {
            return 0;
        }
        reply == '<' ? high = q - 1 : low = q + 1;
    } while (reply != '=');
    std::cout << "! " << q << '\n';
}
