"""Bits of an int64 mask: how many, the lowest, the n-th."""

from __future__ import annotations

from kernels.jit import HAS_FAST_PDEP, inlined, lowest, popcount

__all__ = ["lowest", "nth_bit", "popcount"]

if HAS_FAST_PDEP:
    from kernels.jit import deposit

    @inlined
    def nth_bit(mask, n):
        """Return the place of the n-th bit set (from 0); `mask` must have more than n bits."""
        return lowest(deposit(1 << n, mask))

else:

    @inlined
    def nth_bit(mask, n):
        """Return the place of the n-th bit set (from 0); `mask` must have more than n bits."""
        for _ in range(n):
            mask &= mask - 1
        return lowest(mask)
