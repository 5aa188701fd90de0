// Tiles of the double-six set and hands as masks of their halves.
//
// Tile a-b with a >= b has the number a(a+1)/2 + b. A hand is one word that holds every tile
// twice: bit t is the lower half of tile t, bit 28 + t its higher half. One AND with the halves
// that fit the layout then lists the placements, in the very order in which ties are numbered.
#pragma once

#include <array>
#include <cstdint>

#include "bits.hpp"

namespace fives {

constexpr int VALUES = 7;
constexpr int TILES = 28;
constexpr int HALVES = 2 * TILES;

using Halves = uint64_t;

constexpr Halves LOWER_HALVES = (Halves{1} << TILES) - 1;
constexpr Halves ALL_HALVES = (Halves{1} << HALVES) - 1;

constexpr Halves halves_of(int tile) { return (Halves{1} << TILES | 1) << tile; }

struct Tile {
    int high, low;
    constexpr bool is_double() const { return high == low; }
};

constexpr std::array<Tile, TILES> make_tiles() {
    std::array<Tile, TILES> tiles{};
    int number = 0;
    for (int high = 0; high < VALUES; ++high) {
        for (int low = 0; low <= high; ++low) tiles[number++] = {high, low};
    }
    return tiles;
}
constexpr std::array<Tile, TILES> TILE = make_tiles();

// The value of a half, and that of the other half of its tile.
constexpr int value_of(int half) { return half < TILES ? TILE[half].low : TILE[half - TILES].high; }
constexpr int value_across(int half) { return half < TILES ? TILE[half].high : TILE[half - TILES].low; }
constexpr bool is_half_of_double(int half) { return value_of(half) == value_across(half); }

// Halves whose value has the binary digit `digit` set: pips are then three popcounts.
constexpr Halves halves_with_digit(int digit) {
    Halves halves = 0;
    for (int half = 0; half < HALVES; ++half) {
        if (value_of(half) >> digit & 1) halves |= Halves{1} << half;
    }
    return halves;
}

inline int pips_of(Halves hand) {
    constexpr Halves ONES = halves_with_digit(0), TWOS = halves_with_digit(1), FOURS = halves_with_digit(2);
    return popcount(hand & ONES) + 2 * popcount(hand & TWOS) + 4 * popcount(hand & FOURS);
}

inline int tiles_in(Halves hand) { return popcount(hand & LOWER_HALVES); }

// JOINING[values]: the halves that join a place of one of these values (a set of 7 bits). A double
// has one way to join, listed at its lower half.
constexpr std::array<Halves, 1 << VALUES> make_joining() {
    std::array<Halves, 1 << VALUES> joining{};
    for (int values = 0; values < 1 << VALUES; ++values) {
        for (int half = 0; half < HALVES; ++half) {
            const bool counted = half < TILES || !is_half_of_double(half);
            if (counted && (values >> value_of(half) & 1)) joining[values] |= Halves{1} << half;
        }
    }
    return joining;
}
inline constexpr std::array<Halves, 1 << VALUES> JOINING = make_joining();

}  // namespace fives
