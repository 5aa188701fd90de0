// What a run counts: integers only, points in half points.
#pragma once

#include <array>
#include <cstdint>

#include "rules.hpp"
#include "scoring.hpp"

namespace fives {

enum Event { PLAY_EVENT, OUT_EVENT, BLOCK_EVENT, EVENTS };

struct Tally {
    int64_t games = 0;
    int64_t stopped = 0;
    int64_t rounds = 0;
    int64_t decided = 0;
    int64_t blocked = 0;
    int64_t tied = 0;
    int64_t cut = 0;
    int64_t plays = 0;
    int64_t draws = 0;
    int64_t passes = 0;
    int64_t points2 = 0;
    int64_t scoring = 0;
    int64_t settlement2 = 0;
    std::array<int64_t, EVENTS> events{};
    std::array<int64_t, EVENTS> rejected{};
    int64_t points_rejected2 = 0;
    std::array<int64_t, MAX_PLAYERS> side_wins{};  // twelfths
    int64_t opener_share = 0;                      // twelfths
    int64_t opener_margin2 = 0;
    std::array<int64_t, COUNTS> counts{};

    int64_t last_plays_with_settlement = 0;  // those that score and are no events of their own

    // Each play is counted once, by its count; what follows from the counts is added up at the end.
    void derive_from_counts(const Scores& scores) {
        for (int count = 0; count < COUNTS; ++count) {
            plays += counts[count];
            points2 += counts[count] * scores.points2(count);
            if (scores.points2(count) > 0) scoring += counts[count];
        }
        events[PLAY_EVENT] = scoring - last_plays_with_settlement;
    }
};

}  // namespace fives
