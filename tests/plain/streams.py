"""The random streams of docs/randomness.md, written out in Python ints."""

from __future__ import annotations

from analyzer.notation import Tile, tile_set
from analyzer.rulesets import RuleSet

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15
OPENER, DEAL, CHOICE, TIE = 0, 1, 2, 3


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
    return z ^ (z >> 31)


def child(key: int, i: int) -> int:
    return mix((key + GAMMA * (i + 1)) % WORD)


def word(seed: int, game: int, round_: int, purpose: int, i: int) -> int:
    """Return word i of the stream of a purpose."""
    key = child(0, seed)
    for number in (game, round_, purpose):
        key = child(key, number)
    return child(key, i)


def below(w: int, n: int) -> int:
    """Return a whole number below n from a word."""
    return ((w >> 9) * n) >> 55


def opener_lot(rules: RuleSet, seed: int, game: int, round_: int) -> int:
    """Return the seat that a lot names."""
    return below(word(seed, game, round_, OPENER, 0), rules.players)


def tie_lot(seed: int, game: int, round_: int, tied: int) -> int:
    """Return which of the tied sides a lot names, from 0 in ascending order."""
    return below(word(seed, game, round_, TIE, 0), tied)


def shuffled(rules: RuleSet, seed: int, game: int, round_: int) -> list[Tile]:
    """Return the whole set, shuffled forward."""
    tiles = list(tile_set(rules.set))
    for i in range(len(tiles)):
        j = i + below(word(seed, game, round_, DEAL, i), len(tiles) - i)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles


def choice(seed: int, game: int, round_: int, play: int, m: int) -> int:
    """Return which of m tied placements is taken at the play of this number."""
    return below(word(seed, game, round_, CHOICE, play), m)
