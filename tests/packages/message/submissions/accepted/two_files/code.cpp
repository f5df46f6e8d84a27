#include <string>

std::string encoded(int number) { return std::string(number, 'a'); }
int decoded(const std::string &word) { return word.size(); }
