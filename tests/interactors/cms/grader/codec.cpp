#include "grader.h"

std::string encode(long long number) {
    std::string word;
    for (; number > 0; number /= 2)
        word = (number % 2 ? 'b' : 'a') + word;
    return word;
}

long long decode(std::string word) {
    long long number = 0;
    for (char letter : word)
        number = 2 * number + (letter == 'b');
    return number;
}
