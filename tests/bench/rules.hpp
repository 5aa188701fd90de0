// The four rule sets, as the fields in which they differ.
#pragma once

#include <limits>
#include <string>

namespace fives {

constexpr int MAX_PLAYERS = 4;
constexpr int NO_TARGET = std::numeric_limits<int>::max() / 4;
constexpr int ROUND_GUARD = 1000;

enum class Spinner { NONE, FIRST, ALL };

struct Rules {
    int players;
    int side_mask;  // side of a seat = seat & side_mask: partners face each other
    int hand;       // tiles dealt to each seat
    Spinner spinner;
    bool plays_score;            // a positive multiple of five scores
    int target2;                 // half points
    bool exact;                  // gains past the target are refused; a last play comes with its settlement
    bool rounded;                // settlement sums go to the nearest five
    bool partner_debited;        // after an out
    bool hand_differences;       // a block credits each hand its differences to heavier opposing hands
    bool split_ties;             // exactly two tied of three sides halve the third's pips
    bool lot_after_block;        // else: who placed the last tile; after an out always who went out

    int side_of(int seat) const { return seat & side_mask; }
    int sides() const { return side_mask + 1 < players ? side_mask + 1 : players; }
};

inline bool make_rules(const std::string& name, int players, bool to_target, Rules& rules) {
    if (players < 2 || players > MAX_PLAYERS) return false;
    const int partners = players == 4 ? 1 : 3, single = 3;
    const int pagat_hand = players == 2 ? 9 : players == 3 ? 7 : 5;
    const int pagat_target2 = 2 * (players == 2 ? 250 : 200);
    if (name == "exact61") {
        rules = {players, partners, 5, Spinner::ALL, true, 2 * 305, true, true, true, true, false, true};
    } else if (name == "allfives") {
        rules = {players, partners, pagat_hand, Spinner::FIRST, true, pagat_target2,
                 false, true, false, false, true, true};
    } else if (name == "partout5") {
        rules = {players, single, 7, Spinner::FIRST, true, 2 * 100, false, false, false, false, false, false};
    } else if (name == "draw") {
        rules = {players, single, 7, Spinner::NONE, false, 2 * 100, false, false, false, false, false, false};
    } else {
        return false;
    }
    if (!to_target) rules.target2 = NO_TARGET;
    return true;
}

// Nearest multiple of five: remainders 1 and 2 down, 3 and 4 up.
inline int round5(int pips) { return (pips + 2) / 5 * 5; }

}  // namespace fives
