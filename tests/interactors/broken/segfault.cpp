// It follows a null pointer at the first query.

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char *argv[]) {
    int n;
    volatile int *volatile numbers = nullptr;
    std::string mark;
    if (argc > 1 && std::ifstream(argv[1]) >> n) {
        std::cout << n << std::endl;
        std::cin >> mark;
        numbers[0] = 1;
    }
    return 43;
}
