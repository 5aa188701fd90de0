// The layout as one word, and what each placement does to it.
//
// For legality and count a layout is, per value v, the number of ordinary ends of value v and the
// free sides of the standing double v-v. Both are small numbers, so all of them fit 3-bit fields of
// one word: 7 for ends, 7 for free sides of spinners (4 to 0), 7 for free sides of other doubles
// (2 to 0). A placement then adds a constant to the word, and an open place is a field that is not 0.
#pragma once

#include <array>
#include <cstdint>

#include "rules.hpp"
#include "tiles.hpp"

namespace fives {

using Layout = uint64_t;

constexpr int FIELD_BITS = 3;
constexpr int GROUP_BITS = FIELD_BITS * VALUES;
constexpr int ENDS_AT = 0, SPINNERS_AT = GROUP_BITS, DOUBLES_AT = 2 * GROUP_BITS;

constexpr int field_at(int group_at, int value) { return group_at + FIELD_BITS * value; }
constexpr Layout one_in(int group_at, int value) { return Layout{1} << field_at(group_at, value); }

// The lowest bit of each field of one group.
constexpr Layout units_of(int group_at) {
    Layout units = 0;
    for (int value = 0; value < VALUES; ++value) units |= one_in(group_at, value);
    return units;
}
constexpr Layout UNITS = units_of(ENDS_AT) | units_of(SPINNERS_AT) | units_of(DOUBLES_AT);

// Values, as sets of 7 bits, with an ordinary end, and with a playable side of a standing double.
struct OpenValues {
    unsigned ends, doubles;
    unsigned all() const { return ends | doubles; }
};

inline OpenValues open_values(Layout layout) {
    const uint64_t open = gather_bits(layout | layout >> 1 | layout >> 2, UNITS);
    constexpr unsigned VALUES_MASK = (1 << VALUES) - 1;
    return {static_cast<unsigned>(open) & VALUES_MASK,
            static_cast<unsigned>(open >> VALUES | open >> 2 * VALUES) & VALUES_MASK};
}

// Values of the standing doubles with one in-line side taken: the next tile there closes the line,
// and the double, which counted 2v, counts no more. A spinner has 3 free sides then, another double 1.
inline unsigned closing_values(Layout layout) {
    constexpr Layout SPINNERS = units_of(SPINNERS_AT), DOUBLES = units_of(DOUBLES_AT);
    const Layout closing = (layout & layout >> 1 & SPINNERS) | (layout & DOUBLES);
    const uint64_t values = gather_bits(closing, SPINNERS | DOUBLES);
    return static_cast<unsigned>(values | values >> VALUES) & ((1 << VALUES) - 1);
}

// Placements are numbered in the order of ties: halves that join an ordinary end, halves that join a
// free side of a standing double, and, apart, leads by tile.
constexpr int AT_END = 0, AT_DOUBLE = HALVES, LEAD = 2 * HALVES;
constexpr int PLACEMENTS = 2 * HALVES + TILES;

struct Effect {
    Layout layout;    // added to the layout
    int8_t count;     // added to the count
    uint8_t closed;   // taken off the count where this closes the line of a double
    uint8_t field;    // where the joined double's free sides stand in the layout,
    uint8_t closing;  // and their low two bits when it has one in-line side taken
    uint8_t tile;
    uint8_t first;    // the row of effects after this placement
};

inline int count_after(Layout layout, int count, const Effect& effect) {
    const bool closes = (layout >> effect.field & 3) == effect.closing;
    return count + effect.count - (closes ? effect.closed : 0);
}

// What every placement does, one row for each value of the first double; NONE_YET before there is one.
class Effects {
  public:
    static constexpr int NONE_YET = VALUES;

    explicit Effects(Spinner spinner) : spinner_(spinner) {
        for (int first = 0; first <= NONE_YET; ++first) {
            for (int half = 0; half < HALVES; ++half) {
                row_[first][AT_END + half] = at_end(first, half);
                row_[first][AT_DOUBLE + half] = at_double(first, half);
            }
            for (int tile = 0; tile < TILES; ++tile) row_[first][LEAD + tile] = lead(first, tile);
        }
    }

    const Effect* row(int first) const { return row_[first].data(); }

  private:
    bool is_spinner(int first, int value) const {
        if (spinner_ == Spinner::FIRST) return first == NONE_YET || first == value;
        return spinner_ == Spinner::ALL;
    }

    // A double of this value that stands with so many of its sides taken.
    Layout standing(int first, int value, int taken) const {
        return is_spinner(first, value) ? (4 - taken) * one_in(SPINNERS_AT, value)
                                        : (2 - taken) * one_in(DOUBLES_AT, value);
    }

    // Rows matter only where the first double is the spinner; elsewhere one row stays in the cache.
    uint8_t first_after(int first, int value_of_double) const {
        const bool becomes_first = spinner_ == Spinner::FIRST && first == NONE_YET;
        return static_cast<uint8_t>(becomes_first ? value_of_double : first);
    }

    static Effect effect(Layout layout, int count, int tile, int first) {
        return {layout, static_cast<int8_t>(count), 0, 0, 0, static_cast<uint8_t>(tile),
                static_cast<uint8_t>(first)};
    }

    Effect at_end(int first, int half) const {
        const int joined = value_of(half), other = value_across(half), tile = half % TILES;
        const Layout end_gone = -one_in(ENDS_AT, joined);
        if (joined == other) {
            return effect(end_gone + standing(first, joined, 1), joined, tile, first_after(first, joined));
        }
        return effect(end_gone + one_in(ENDS_AT, other), other - joined, tile, first);
    }

    Effect at_double(int first, int half) const {
        const int joined = value_of(half), other = value_across(half);
        const int group = is_spinner(first, joined) ? SPINNERS_AT : DOUBLES_AT;
        Effect result = effect(one_in(ENDS_AT, other) - one_in(group, joined), other, half % TILES, first);
        result.closed = static_cast<uint8_t>(2 * joined);
        result.field = static_cast<uint8_t>(field_at(group, joined));
        result.closing = group == SPINNERS_AT ? 3 : 1;
        return result;
    }

    Effect lead(int first, int tile) const {
        const auto [high, low] = TILE[tile];
        if (high == low) return effect(standing(first, high, 0), 2 * high, tile, first_after(first, high));
        return effect(one_in(ENDS_AT, high) + one_in(ENDS_AT, low), high + low, tile, first);
    }

    Spinner spinner_;
    alignas(64) std::array<std::array<Effect, PLACEMENTS>, VALUES + 1> row_;
};

}  // namespace fives
