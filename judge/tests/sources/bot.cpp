#include <iostream>
#include "moves.h"
int main(int argc, char **argv) {
    int x, y, z;
    std::cin >> x >> y >> z;
    std::cerr << "flags: " << FLAGS << " argument: " << (argc > 1 ? argv[1] : "none") << std::endl;
    std::cout << "First" << std::endl;
    for (const char *move : MOVES) {
        std::cout << move << std::endl;
        std::cin >> x >> y;
    }
}
