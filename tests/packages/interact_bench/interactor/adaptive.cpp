// INPUT OUTPUT: as the other interactor, but the hidden number is chosen by the questions: the larger part stays.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>

int main(int, char **arguments) {
    long long n, number;
    std::ifstream(arguments[1]) >> n;
    long long low = 1, high = n;
    std::cout << n << std::endl;
    std::string word;
    for (int questions = 0; std::cin >> word >> number; ++questions) {
        if (word == "!")
            return low == high && number == low && questions <= 10 ? 0 : 1;
        if (word != "?")
            return 2;
        if (low == high && number == low) {
            std::cout << "=" << std::endl;
        } else if (number - low > high - number) {
            high = std::min(high, number - 1);
            std::cout << "<" << std::endl;
        } else {
            low = std::max(low, number + 1);
            std::cout << ">" << std::endl;
        }
    }
    return 1;
}
