// Bits of 64-bit words. BMI2 where the machine has it, plain loops elsewhere.
#pragma once

#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace fives {

inline int popcount(uint64_t word) { return __builtin_popcountll(word); }

inline int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }

// The position of the n-th set bit, from 0.
inline int nth_bit(uint64_t word, int n) {
#ifdef __BMI2__
    return lowest_bit(_pdep_u64(uint64_t{1} << n, word));
#else
    while (n-- > 0) word &= word - 1;
    return lowest_bit(word);
#endif
}

// The bits of `word` at the set bits of `mask`, packed at the low end.
inline uint64_t gather_bits(uint64_t word, uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(word, mask);
#else
    uint64_t packed = 0;
    for (int to = 0; mask != 0; mask &= mask - 1, ++to) {
        packed |= (word >> lowest_bit(mask) & 1) << to;
    }
    return packed;
#endif
}

// Calls `visit(position)` for each set bit, ascending.
template <class Visit>
inline void for_each_bit(uint64_t word, Visit visit) {
    for (; word != 0; word &= word - 1) visit(lowest_bit(word));
}

}  // namespace fives
