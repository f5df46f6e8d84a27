// INPUT OUTPUT: "? q" is answered by "<", ">" or "="; "! x" ends the conversation. The hidden number is in INPUT.

#include <fstream>
#include <iostream>
#include <string>

int main(int, char **arguments) {
    long long n, x, number;
    std::ifstream(arguments[1]) >> n >> x;
    std::cout << n << std::endl;
    std::string word;
    for (int questions = 0; std::cin >> word >> number; ++questions) {
        if (word == "!")
            return number == x && questions <= 10 ? 0 : 1;
        if (word != "?")
            return 2;
        std::cout << (x < number ? "<" : x > number ? ">" : "=") << std::endl;
    }
    return 1;
}
