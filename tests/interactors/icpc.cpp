// Hidden number, icpc style: icpc INPUT ANSWER FEEDBACKDIR. It reads tokens, and exits with 42 (accepted) or 43 (wrong
// answer).

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

const int MAX_QUERIES = 40;

static std::string feedback;

[[noreturn]] static void end(int code, const std::string &judge, const std::string &team) {
    std::ofstream(feedback + "/judgemessage.txt") << judge << '\n';
    std::ofstream(feedback + "/teammessage.txt") << team << '\n';
    if (code == 43) {
        std::cout << -1 << std::endl;
    }
    std::exit(code);
}

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
    long long n, x, number;
    if (argc < 4 || !(std::ifstream(argv[1]) >> n >> x)) {
        std::cerr << "usage: icpc INPUT ANSWER FEEDBACKDIR\n";
        return 1;
    }
    std::signal(SIGPIPE, SIG_IGN); // the bot may have ended
    feedback = argv[3];
    std::cout << n << std::endl;
    std::string mark, token;
    for (int queries = 0; std::cin >> mark;) {
        if (mark != "?" && mark != "!") {
            end(43, "malformed: expected \"?\" or \"!\", got \"" + mark.substr(0, 40) + '"', "malformed line");
        }
        if (!(std::cin >> token)) {
            break;
        }
        if (!parse(token, number)) {
            end(43, "malformed: expected an integer, got \"" + token.substr(0, 40) + '"', "malformed line");
        }
        if (mark == "!" && number == x) {
            end(42, std::to_string(queries) + " queries", "correct");
        }
        if (mark == "!") {
            end(43, "the number is " + std::to_string(x) + ", not " + std::to_string(number), "wrong number");
        }
        if (++queries > MAX_QUERIES) {
            end(43, "more than " + std::to_string(MAX_QUERIES) + " queries", "too many queries");
        }
        if (number < 1 || number > n) {
            end(43, "query " + std::to_string(number) + " is outside 1.." + std::to_string(n), "query out of range");
        }
        std::cout << (x < number ? '<' : x > number ? '>' : '=') << std::endl;
    }
    end(43, "unexpected end of the bot's output", "no answer");
}
