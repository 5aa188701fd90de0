"""Bits of an int64 mask: how many, the lowest, the n-th."""

from __future__ import annotations

from kernels.jit import kernel, lowest, popcount

__all__ = ["lowest", "nth_bit", "popcount"]


@kernel
def nth_bit(mask, n):
    """Return the place of the n-th bit set (from 0); `mask` must have more than n bits."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)
