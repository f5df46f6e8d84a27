#include <iostream>
#include <string>

std::string encoded(int number);
int decoded(const std::string &word);

int main() {
    std::string task, word;
    std::cin >> task >> word;
    if (task == "encode")
        std::cout << encoded(std::stoi(word)) << '\n';
    else
        std::cout << decoded(word) << '\n';
}
