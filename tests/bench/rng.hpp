// Random streams: every number is a pure function of (seed, game, round, purpose, counter).
// Written from docs/randomness.md, stream version 1.
#pragma once

#include <cstdint>

namespace fives {

enum Purpose : uint64_t { OPENER = 0, DEAL = 1, CHOICE = 2 };

constexpr uint64_t GAMMA = 0x9E3779B97F4A7C15u;

inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

inline uint64_t child(uint64_t key, uint64_t i) { return mix(key + GAMMA * (i + 1)); }

// A whole number below n (1 to 256) from a word.
inline uint64_t below(uint64_t word, uint64_t n) { return ((word >> 9) * n) >> 55; }

}  // namespace fives
