#include <string>

std::string encode(long long number);
long long decode(std::string word);
