// The policies: which of a turn's placements are the best, ties included. Written from docs/policies.md.
//
// Each policy is a type with one function `best(turn)`, compiled into its own copy of the round. Only
// the order of the values matters, so no weighted sum is made: `careful` is greed without refused gains,
// `lowcount` is greed that looks at the count where nothing scores.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "layout.hpp"
#include "scoring.hpp"

namespace fives {

// A set of placements: halves that join ordinary ends (or lead), and halves that join standing doubles.
struct Placements {
    Halves at_ends, at_doubles;
    int size() const { return popcount(at_ends) + popcount(at_doubles); }
    bool empty() const { return (at_ends | at_doubles) == 0; }
};

// What a seat may know when it chooses.
struct Turn {
    Placements legal;
    Halves hand;
    Layout layout;
    int count;
    const Effect* at_ends;     // by half; for a lead by tile
    const Effect* at_doubles;  // by half
    const Scoring& scoring;    // what scores from this count
    int room2;                 // half points that an exact target would still accept
    Halves on_layout;          // tiles on the layout
    int opponent_tiles;        // in the hand of the next opponent
    const Effects& effects;
    const Scores& scores;

    Placements scoring_placements() const {
        const Halves closing = JOINING[closing_values(layout)];
        return {legal.at_ends & scoring.at_end,
                legal.at_doubles & ((closing & scoring.closing) | (~closing & scoring.not_closing))};
    }

    int count_after(const Effect& effect) const { return fives::count_after(layout, count, effect); }
};

// The placements of highest value, where `value(effect)` is what the policy sees in one.
template <class Value>
inline Placements highest(const Turn& turn, Placements among, Value value) {
    Placements best{0, 0};
    int64_t best_value = INT64_MIN;
    const auto consider = [&](const Effect* effects, Halves halves, Halves Placements::*place) {
        for_each_bit(halves, [&](int half) {
            const int64_t here = value(effects[half]);
            if (here < best_value) return;
            if (here > best_value) best = {0, 0};
            best_value = here;
            best.*place |= Halves{1} << half;
        });
    };
    consider(turn.at_ends, among.at_ends, &Placements::at_ends);
    consider(turn.at_doubles, among.at_doubles, &Placements::at_doubles);
    return best;
}

struct Random {
    static constexpr const char* NAME = "random";
    static Placements best(const Turn& turn) { return turn.legal; }
};

struct Greedy {
    static constexpr const char* NAME = "greedy";

    static Placements best(const Turn& turn) { return most_points(turn, turn.scoring_placements()); }

    // Of placements that all score the highest counts; where there are none all legal placements earn 0.
    static Placements most_points(const Turn& turn, Placements scoring) {
        if (scoring.size() > 1) {
            return highest(turn, scoring, [&](const Effect& effect) { return turn.count_after(effect); });
        }
        return scoring.empty() ? turn.legal : scoring;
    }
};

struct Careful {
    static constexpr const char* NAME = "careful";

    // A last tile's points come with the settlement, so no refusal of them can be foreseen.
    static Placements best(const Turn& turn) {
        const bool last_tile = tiles_in(turn.hand) == 1;
        Placements scoring = turn.scoring_placements();
        if (!last_tile) {
            scoring.at_ends &= accepted(turn, turn.at_ends, scoring.at_ends);
            scoring.at_doubles &= accepted(turn, turn.at_doubles, scoring.at_doubles);
        }
        return Greedy::most_points(turn, scoring);
    }

  private:
    static Halves accepted(const Turn& turn, const Effect* effects, Halves halves) {
        Halves kept = 0;
        for_each_bit(halves, [&](int half) {
            if (2 * turn.count_after(effects[half]) <= turn.room2) kept |= Halves{1} << half;
        });
        return kept;
    }
};

struct LowCount {
    static constexpr const char* NAME = "lowcount";

    static Placements best(const Turn& turn) {
        const Placements scoring = turn.scoring_placements();
        if (!scoring.empty()) return Greedy::most_points(turn, scoring);
        return highest(turn, turn.legal, [&](const Effect& effect) { return -turn.count_after(effect); });
    }
};

inline int pips_of_tile(int tile) { return TILE[tile].high + TILE[tile].low; }

struct Heavy {
    static constexpr const char* NAME = "heavy";
    static Placements best(const Turn& turn) {
        return highest(turn, turn.legal, [](const Effect& effect) { return pips_of_tile(effect.tile); });
    }
};

struct Doubles {
    static constexpr const char* NAME = "doubles";
    static Placements best(const Turn& turn) {
        return highest(turn, turn.legal, [](const Effect& effect) {
            return 100 * TILE[effect.tile].is_double() + pips_of_tile(effect.tile);
        });
    }
};

struct Mobile {
    static constexpr const char* NAME = "mobile";

    static Placements best(const Turn& turn) {
        return highest(turn, turn.legal, [&](const Effect& effect) {
            const unsigned open = open_values(turn.layout + effect.layout).all();
            return popcount(open & values_in(turn.hand & ~halves_of(effect.tile)));
        });
    }

  private:
    static unsigned values_in(Halves hand) {
        unsigned values = 0;
        for_each_bit(hand, [&](int half) { values |= 1u << value_of(half); });
        return values;
    }
};

struct Defend {
    static constexpr const char* NAME = "defend";

    // Values are multiplied by the number of the opponent's possible hands, so they stay whole.
    static Placements best(const Turn& turn) {
        const Halves unseen = ALL_HALVES & ~turn.on_layout & ~turn.hand;
        const int64_t hands = choose(tiles_in(unseen), turn.opponent_tiles);
        const bool last_tile = tiles_in(turn.hand) == 1;
        return highest(turn, turn.legal, [&](const Effect& effect) {
            const int64_t points = turn.scores.points2(turn.count_after(effect)) / 2;
            return points * hands - (last_tile ? 0 : reply(turn, effect, unseen, hands));
        });
    }

  private:
    static constexpr int LEVELS = MAX_COUNT / 5 + 1;

    static int64_t choose(int n, int k) {
        int64_t ways = 1;
        for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
        return n < k ? 0 : ways;
    }

    // The next opponent's best reply, summed over all hands that it may hold.
    static int64_t reply(const Turn& turn, const Effect& effect, Halves unseen, int64_t hands) {
        std::array<Halves, LEVELS> tiles_scoring{};  // by points / 5
        const Layout layout = turn.layout + effect.layout;
        const int count = turn.count_after(effect);
        const Effect* row = turn.effects.row(effect.first);
        const OpenValues open = open_values(layout);
        const auto note = [&](const Effect* effects, Halves halves) {
            for_each_bit(halves, [&](int half) {
                const int points = turn.scores.points2(fives::count_after(layout, count, effects[half])) / 2;
                tiles_scoring[points / 5] |= Halves{1} << effects[half].tile;
            });
        };
        note(row + AT_END, unseen & JOINING[open.ends]);
        note(row + AT_DOUBLE, unseen & JOINING[open.doubles]);

        int64_t total = 0;
        Halves so_much_or_more = 0;
        for (int level = LEVELS - 1; level > 0; --level) {
            so_much_or_more |= tiles_scoring[level];
            const int others = tiles_in(unseen) - popcount(so_much_or_more);
            total += 5 * (hands - choose(others, turn.opponent_tiles));
        }
        return total;
    }
};

}  // namespace fives
