// An interactor with testlib (Codeforces, Polygon): interactor INPUT OUTPUT [ANSWER]
//
// testlib.h is not part of the judge. Get it from https://github.com/MikeMirzayanov/testlib, and put it beside this
// file, or name its folder in CPLUS_INCLUDE_PATH.
//
// The problem: guess a number x from 1 to n with at most k guesses.
//
//     INPUT             n k x    the file with the test
//     the interactor    n k      the first line that the bot reads
//     then in turn
//     the bot           y        a guess from 1 to n
//     the interactor    <        x is less than y; or ">": x is greater
//     at last           =        x is y: the bot has to end; or "-1": no guess is left
//
// To make it the interactor of your problem, change this table, the three parts of main, and the bots. Flush every line
// to the bot (std::endl), and end the program only by quitf. Its first argument is the decision: _ok (accepted), _wa
// (wrong answer), _pe (malformed output), or _fail (the test or this program is wrong).

#include "testlib.h"

#include <csignal>
#include <iostream>

int main(int argc, char *argv[]) {
#ifdef SIGPIPE
    // If the bot has already ended, a write to it must not end the interactor before the decision.
    std::signal(SIGPIPE, SIG_IGN);
#endif
    registerInteraction(argc, argv);

    // 1. Read the test. A number outside of its bounds is a failure (_fail), not the bot's fault.
    const int n = inf.readInt(1, 1000000000, "n");
    const int k = inf.readInt(1, 100, "k");
    const int x = inf.readInt(1, n, "x");

    // 2. Write the first line for the bot. Write "\n" only together with a flush.
    std::cout << n << ' ' << k << std::endl;

    // 3. Read the bot's lines. The functions of ouf end the interactor if a line is malformed or missing.
    for (int guesses = 1; guesses <= k; ++guesses) {
        const int y = ouf.readInt(1, n, "guess");
        // A checker, if the problem has one, reads the lines that are written to tout.
        tout << y << '\n';
        if (y == x) {
            std::cout << '=' << std::endl;
            quitf(_ok, "%d guesses", guesses);
        }
        if (guesses < k) {
            std::cout << (x < y ? '<' : '>') << std::endl;
        }
    }
    // Tell the bot that the conversation is over, because it may be waiting for a reply.
    std::cout << -1 << std::endl;
    quitf(_wa, "%d guesses, and none was %d", k, x);
}
