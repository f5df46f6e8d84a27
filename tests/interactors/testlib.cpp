// Hidden number, testlib style: testlib INPUT OUTPUT [ANSWER]. It reads tokens.

#if __has_include("testlib.h")
#include "testlib.h"
#else
#include "include/testlib.h"
#endif

#include <csignal>
#include <iostream>

const int MAX_QUERIES = 40;

// Reads an integer of at most 18 digits. Returns whether `token` is one.
static bool parse(const std::string &token, long long &value) {
    std::size_t start = token[0] == '-';
    if (token.size() == start || token.size() > start + 18 ||
        token.find_first_not_of("0123456789", start) != std::string::npos) {
        return false;
    }
    value = std::stoll(token);
    return true;
}

int main(int argc, char *argv[]) {
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // the bot may have ended
#endif
    registerInteraction(argc, argv);
    const int n = inf.readInt(1, 1000000000, "n");
    const int x = inf.readInt(1, n, "x");
    std::cout << n << std::endl;
    for (int queries = 0;;) {
        const std::string mark = ouf.readToken();
        if (mark != "?" && mark != "!") {
            std::cout << -1 << std::endl;
            quitf(_pe, "malformed: expected \"?\" or \"!\", got \"%.40s\"", mark.c_str());
        }
        const std::string token = ouf.readToken();
        long long number;
        if (!parse(token, number)) {
            std::cout << -1 << std::endl;
            quitf(_pe, "malformed: expected an integer, got \"%.40s\"", token.c_str());
        }
        tout << mark << ' ' << number << '\n';
        if (mark == "!" && number == x) {
            quitf(_ok, "%d queries", queries);
        }
        if (mark == "!") {
            std::cout << -1 << std::endl;
            quitf(_wa, "the number is %d, not %lld", x, number);
        }
        if (++queries > MAX_QUERIES) {
            std::cout << -1 << std::endl;
            quitf(_wa, "more than %d queries", MAX_QUERIES);
        }
        if (number < 1 || number > n) {
            std::cout << -1 << std::endl;
            quitf(_wa, "query %lld is outside 1..%d", number, n);
        }
        std::cout << (x < number ? '<' : x > number ? '>' : '=') << std::endl;
    }
}
