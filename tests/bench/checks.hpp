// What must hold after every play and in every block; compiled in by `make checked` only.
#pragma once

#undef NDEBUG
#include <array>
#include <cassert>

#include "layout.hpp"
#include "rules.hpp"
#include "tiles.hpp"

namespace fives {

// The count, added up anew from the whole layout.
inline int recounted(Layout layout) {
    int count = 0;
    for (int value = 0; value < VALUES; ++value) {
        const auto field = [&](int group_at) {
            return static_cast<int>(layout >> field_at(group_at, value) & 7);
        };
        const bool counts_whole = field(SPINNERS_AT) > 2 || field(DOUBLES_AT) > 0;
        count += value * field(ENDS_AT) + (counts_whole ? 2 * value : 0);
    }
    return count;
}

// Every tile is in exactly one place, and the count kept play by play is the layout's.
inline void check_play(const std::array<Halves, MAX_PLAYERS>& hands, int players, Halves undrawn,
                       Halves on_layout, Layout layout, int count) {
    Halves all = undrawn | on_layout;
    int tiles = tiles_in(undrawn) + tiles_in(on_layout);
    for (int seat = 0; seat < players; ++seat) {
        all |= hands[seat];
        tiles += tiles_in(hands[seat]);
    }
    assert(all == ALL_HALVES && tiles == TILES);
    assert(count == recounted(layout));
}

// In a block every value shows an even number of halves on the layout, so the pips left are even.
inline void check_block(const std::array<Halves, MAX_PLAYERS>& hands, int players) {
    int pips = 0;
    for (int seat = 0; seat < players; ++seat) pips += pips_of(hands[seat]);
    assert(pips % 2 == 0);
}

}  // namespace fives
