"""The work of `simulate`: games played into tallies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.given import Given
from analyzer.measures import Experiment
from analyzer.playing import Playing
from analyzer.policies import Policy
from analyzer.records import policies_record, rules_record
from analyzer.rulesets import RuleSet
from analyzer.tallies import PAIRS, Tallies, pairs_of
from kernels.bounds import COUNTS
from kernels.state import blank
from kernels.tallies import TALLY

_ARRAYS = ("sums", "present", "counts", "openings", "needs", "lengths", "after", "excess")


class Counting:
    """Plays games of one rule set, policies and seed into tallies.

    Parameters
    ----------
    rules : without a target, each game is a single round.
    policies : one a seat.
    control : count the controls and their products too.
    given : how games start; None: as always.
    """

    def __init__(
        self,
        rules: RuleSet,
        policies: Sequence[Policy],
        seed: int,
        *,
        control: bool = False,
        given: Given | None = None,
    ) -> None:
        self.seed, self.rules, self.policies, self.given = seed, rules, policies, given
        self.records = rules_record(rules, control=control), policies_record(policies, rules)
        self.needed = pairs_of(Experiment(rules, tuple(policies), rules.target is not None, control))

    def none(self) -> Tallies:
        """Return the tallies of no games."""
        return Tallies.zero(COUNTS - 1)

    def player(self) -> Callable[[int, int], Tallies]:
        """Return a function that plays (first game, number of games), with records of its own."""
        playing, tally = Playing(self.rules, self.policies, self.records, self.given), blank(TALLY)
        pairs = PAIRS[self.needed]
        products = np.zeros(len(pairs), np.int64)

        def play_chunk(first: int, games: int) -> Tallies:
            for name in TALLY.names or ():
                tally[name] = 0
            products[:] = 0
            playing.count(self.seed, first, games, tally, pairs, products)
            return self._tallies(tally, products)

        return play_chunk

    def _tallies(self, tally: Any, products: NDArray[np.int64]) -> Tallies:
        every = np.zeros(len(PAIRS), np.int64)
        every[self.needed] = products
        arrays = {name: tally[name].copy() for name in _ARRAYS}
        return Tallies(games=tally["games"], stopped=tally["stopped"], products=every, **arrays)
