// It reads a place after the end of a vector, and at() throws.

#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::cout << "? " << n << std::endl;
    std::vector<int> known(10);
    char reply;
    std::cin >> reply;
    known.at(10) = reply;
    std::cout << "! " << n << std::endl;
}
