#include "grader.h"

#include <iostream>

int main(int argc, char **argv) {
    std::string line;
    std::getline(std::cin, line);
    if (argv[argc - 1][0] == '0')
        std::cout << encode(std::stoll(line)) << std::endl;
    else
        std::cout << decode(line) << std::endl;
}
