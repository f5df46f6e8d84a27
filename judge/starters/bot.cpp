// A starter bot for rows of cards. It plays legal moves and knows no strategy.
//
// From a row of N cards the players in turn take L to R neighbouring cards. A player who cannot move loses.
//
//     the judge sends    N L R       the header
//     the bot answers    First       or Second: the side that it plays
//     then in turn       x y         take the y cards x, x+1, ..., x+y-1
//     the bot            0 0         I have no move
//     the judge at last  0 0         the bot has won; or -1 -1: the bot has lost
//
// Only these lines go to stdout, and std::endl flushes each. Print everything else to std::cerr.

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Move = std::pair<int, int>;

std::string choose_side(int n, int l, int r) {
    (void)n, (void)l, (void)r;
    return "First";
}

// Returns the move that takes the first L neighbouring cards, or 0 0. cards[x] says whether card x is left.
Move choose_move(const std::vector<bool>& cards, int l, int r) {
    (void)r;
    int in_a_row = 0;
    for (int x = 1; x < static_cast<int>(cards.size()); ++x) {
        in_a_row = cards[x] ? in_a_row + 1 : 0;
        if (in_a_row == l) return {x - l + 1, l};
    }
    return {0, 0};
}

void take(std::vector<bool>& cards, Move move) {
    std::fill_n(cards.begin() + move.first, move.second, false);
}

int main() {
    int n, l, r;
    if (!(std::cin >> n >> l >> r)) return 0;
    std::vector<bool> cards(n + 1, true);
    cards[0] = false;  // The cards are numbered from 1.
    const std::string side = choose_side(n, l, r);
    std::cout << side << std::endl;
    for (bool is_my_turn = side == "First";; is_my_turn = !is_my_turn) {
        Move move;
        if (is_my_turn) {
            move = choose_move(cards, l, r);
            std::cout << move.first << ' ' << move.second << std::endl;
        } else {
            if (!(std::cin >> move.first >> move.second)) return 1;  // The input has ended in the middle of the game.
            if (move.first <= 0) return 0;                           // The game is over.
        }
        if (move.first > 0) take(cards, move);
    }
}
