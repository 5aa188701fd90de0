"""Random words as a pure function of (seed, game, round, purpose, counter); docs/randomness.md defines it.

The only unsigned code: keys and words are uint64 and leave this module only through `below`.
The finaliser is SplitMix64's (Steele, Lea and Flood, OOPSLA 2014).
"""

from __future__ import annotations

import numpy as np

from kernels.jit import inlined, kernel

STREAM_VERSION = 1

OPENER, DEAL, CHOICE, TIE, RETRY, WORLDS, REST = 0, 1, 2, 3, 4, 5, 6

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_9, _11, _55, _ONE = np.uint64(9), np.uint64(11), np.uint64(55), np.uint64(1)
_UNIT = 2.0**-53


@inlined
def child(key, i):
    """Return word i of the stream `key`: also the key of its i-th child stream."""
    z = key + _GAMMA * (np.uint64(i) + _ONE)
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@kernel
def game_key(seed, game):
    """Return the key of a game."""
    return child(child(np.uint64(0), seed), game)


@inlined
def below(key, i, n):
    """Return word i of a stream as a whole number from 0 to n - 1, n <= 256."""
    return np.int64(((child(key, i) >> _9) * np.uint64(n)) >> _55)


@inlined
def later(key):
    """Return the stream `key` from its word 1 on."""
    return key + _GAMMA


@inlined
def fraction(key, i):
    """Return word i of a stream as a float64 from 0 up to but not 1, a multiple of 2^-53."""
    return np.float64(child(key, i) >> _11) * _UNIT


@inlined
def mixed(key, word):
    """Return a hash of two int64 words as an int64."""
    return np.int64(child(np.uint64(key), word))
