// The lazy shuffle: a tile is settled only when it is dealt or drawn.
#pragma once

#include <array>
#include <cstdint>

#include "rng.hpp"
#include "tiles.hpp"

namespace fives {

constexpr std::array<uint8_t, TILES> tiles_in_order() {
    std::array<uint8_t, TILES> tiles{};
    for (int tile = 0; tile < TILES; ++tile) tiles[tile] = static_cast<uint8_t>(tile);
    return tiles;
}
inline constexpr std::array<uint8_t, TILES> IN_ORDER = tiles_in_order();

class Deck {
  public:
    explicit Deck(uint64_t deal_key) : tiles_(IN_ORDER) {
        // All steps at once: they do not depend on each other, so this is a few vector instructions.
        for (unsigned i = 0; i < unsigned{TILES}; ++i) {
            from_[i] = static_cast<uint8_t>(i + below(child(deal_key, i), TILES - i));
        }
    }

    int left() const { return TILES - next_; }

    Halves draw() {
        const unsigned i = static_cast<unsigned>(next_++), from = from_[i];
        const int tile = tiles_[from];
        tiles_[from] = tiles_[i];
        return halves_of(tile);
    }

    // The tiles that are still undrawn.
    Halves undrawn() const {
        Halves halves = 0;
        for (int i = next_; i < TILES; ++i) halves |= halves_of(tiles_[i]);
        return halves;
    }

  private:
    std::array<uint8_t, TILES> tiles_;
    std::array<uint8_t, TILES> from_;
    int next_ = 0;
};

}  // namespace fives
