// Points of counts, and which placements score from a given count.
#pragma once

#include <algorithm>
#include <array>

#include "layout.hpp"

namespace fives {

// No layout counts more: it has 2 ends and each of 7 doubles adds 2 at most, 16 ends of at most 6 pips;
// a double that still counts 2v has not yet started the arms that would count as much.
constexpr int MAX_COUNT = 96;
constexpr int COUNTS = 128;

constexpr bool scores(int count) { return count > 0 && count % 5 == 0; }

// The placements that score, each class a mask of halves. At a standing double it matters
// whether the placement closes its line.
struct Scoring {
    Halves at_end, closing, not_closing;
};

class Scores {
  public:
    explicit Scores(bool plays_score) : points2_{}, leads_{}, from_{} {
        if (!plays_score) return;
        for (int count = 0; count < COUNTS; ++count) points2_[count] = scores(count) ? 2 * count : 0;
        for (int tile = 0; tile < TILES; ++tile) {
            if (scores(TILE[tile].high + TILE[tile].low)) leads_.at_end |= Halves{1} << tile;
        }
        for (int count = 0; count <= MAX_COUNT; ++count) from_[count] = scoring_from(count);
    }

    int points2(int count) const { return points2_[count]; }
    const Scoring& leads() const { return leads_; }
    const Scoring& from(int count) const { return from_[count]; }

  private:
    static Scoring scoring_from(int count) {
        Scoring scoring{};
        for (int half = 0; half < HALVES; ++half) {
            const int joined = value_of(half), other = value_across(half);
            const int end_change = joined == other ? joined : other - joined;
            const Halves bit = Halves{1} << half;
            if (scores(count + end_change)) scoring.at_end |= bit;
            if (scores(count + other - 2 * joined)) scoring.closing |= bit;
            if (scores(count + other)) scoring.not_closing |= bit;
        }
        return scoring;
    }

    std::array<int, COUNTS> points2_;
    Scoring leads_;
    std::array<Scoring, COUNTS> from_;
};

}  // namespace fives
