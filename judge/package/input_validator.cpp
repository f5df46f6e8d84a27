// An input is one line "N L R" with 1 <= L <= R <= N <= 2000, single blanks, no leading zeros, and nothing else.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

int main() {
    const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    int n = 0, l = 0, r = 0;
    if (text.size() > 20 || std::sscanf(text.c_str(), "%4d %4d %4d", &n, &l, &r) != 3) return 43;
    const std::string strict = std::to_string(n) + " " + std::to_string(l) + " " + std::to_string(r) + "\n";
    return text == strict && 1 <= l && l <= r && r <= n && n <= 2000 ? 42 : 43;
}
