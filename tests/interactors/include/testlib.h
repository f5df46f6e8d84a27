// A small substitute for testlib.h, written for these tests. It has only the calls that the interactors of this folder
// need, with the arguments (INPUT OUTPUT [ANSWER]), exit codes and message prefixes of testlib.

#pragma once

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

// The exit codes. testlib exits with 8 only if it is compiled with -DENABLE_UNEXPECTED_EOF, and else with 2.
enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _unexpected_eof = 8 };

// The interactor's OUTPUT file, which a checker reads later. std::exit writes what is still in its buffer.
inline std::ofstream tout;

[[noreturn]] inline void quitf(TResult result, const char *format, ...) {
    const char *prefix = result == _ok               ? "ok "
                         : result == _wa             ? "wrong answer "
                         : result == _pe             ? "wrong output format "
                         : result == _unexpected_eof ? "unexpected eof "
                                                     : "FAIL ";
    std::va_list arguments;
    va_start(arguments, format);
    std::fputs(prefix, stderr);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
    std::exit(result);
}

// A stream of tokens: `inf` reads INPUT, `ouf` reads what the bot prints.
class InStream {
  public:
    std::FILE *file = nullptr;
    // The results if a token is wrong, and if it is missing. The defaults, for INPUT, blame the interactor.
    TResult wrong = _fail, missing = _fail;

    std::string readToken() {
        int character = std::fgetc(file);
        while (character != EOF && std::isspace(character)) {
            character = std::fgetc(file);
        }
        if (character == EOF) {
            quitf(missing, "unexpected end of file: expected a token");
        }
        std::string token;
        while (character != EOF && !std::isspace(character)) {
            token += static_cast<char>(character);
            character = std::fgetc(file);
        }
        return token;
    }

    int readInt(int low, int high, const char *name = "number") {
        std::string token = readToken();
        char *end = nullptr;
        long long value = std::strtoll(token.c_str(), &end, 10);
        if (*end != '\0') {
            quitf(wrong, "%s: expected an integer, got \"%.40s\"", name, token.c_str());
        }
        if (value < low || value > high) {
            quitf(wrong == _pe ? _wa : wrong, "%s: %.40s is outside %d..%d", name, token.c_str(), low, high);
        }
        return static_cast<int>(value);
    }

    int readInt() { return readInt(-2147483647 - 1, 2147483647); }
};

inline InStream inf, ouf;

inline void registerInteraction(int argc, char *argv[]) {
    if (argc < 3) {
        quitf(_fail, "usage: %s INPUT OUTPUT [ANSWER]", argv[0]);
    }
    inf.file = std::fopen(argv[1], "r");
    if (inf.file == nullptr) {
        quitf(_fail, "cannot read %s", argv[1]);
    }
    tout.open(argv[2]);
    if (!tout) {
        quitf(_fail, "cannot write %s", argv[2]);
    }
    ouf.file = stdin;
    ouf.wrong = _pe;
    ouf.missing = _unexpected_eof;
}
