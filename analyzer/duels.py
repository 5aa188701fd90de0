"""The work of `compare`: the same deals played in every seating of every pair of policies.

Deal k is game k of the seed: each of its rounds is dealt from (seed, k, round) in all seatings, and its first
opener's seat too depends on these alone, so that the seatings differ in who sits where and in nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.duel_totals import MOST_MARGIN, PENTANOMIAL, DuelTotals, exact_product, exact_squares
from analyzer.given import Given
from analyzer.playing import Playing
from analyzer.policies import Policy
from analyzer.records import policies_record, rules_record
from analyzer.rulesets import RuleSet
from analyzer.seatings import FIRST, SECOND, Seatings, pairs_of
from kernels.state import blank
from kernels.tallies import HALF, ROW, SHARE, TALLY

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class _Games:
    """The games of one pair on some deals, S seatings of each.

    Attributes
    ----------
    wins : int64[2, S, deals], wins per side held of the first and the second of the pair.
    points : int64[S, deals], points per side held of the first less those of the second.
    stopped : games that the guard stopped.
    """

    wins: Integers
    points: Integers
    stopped: int


class Duels:
    """Plays deals of one rule set and seed between policies.

    Parameters
    ----------
    rules : without a target, each game is a single round.
    policies : at least two, each against each.
    given : how games start, in every seating; None: as always.
    """

    def __init__(
        self, rules: RuleSet, policies: Sequence[Policy], seed: int, *, given: Given | None = None
    ) -> None:
        self.rules, self.policies, self.seed, self.given = rules, policies, seed, given
        self.seatings = Seatings(rules.side_count)
        self.pairs = list(pairs_of(len(policies)))
        self.rules_record = rules_record(rules)
        self.tables = [
            [self._seated(pair, holders) for holders in self.seatings.holders] for pair in self.pairs
        ]
        self.weights = np.stack([self.seatings.weights(which) for which in (FIRST, SECOND)])
        stems = ("side_share", "side_margin")
        self.columns = np.array([ROW[f"{stem}_{side}"] for stem in stems for side in range(rules.side_count)])

    def _seated(self, pair: tuple[int, int], holders: Sequence[int]) -> tuple[list[Policy], object]:
        seats = [self.policies[pair[holders[side]]] for side in self.rules.sides]
        return seats, policies_record(seats, self.rules)

    def none(self) -> DuelTotals:
        """Return the totals of no deals."""
        return DuelTotals.zero(len(self.policies))

    def player(self) -> Callable[[int, int], DuelTotals]:
        """Return a function that plays (first deal, number of deals), with records of its own."""
        tally = blank(TALLY)
        tables = [
            [
                Playing(self.rules, seats, (self.rules_record, record), self.given)
                for seats, record in seatings
            ]
            for seatings in self.tables
        ]

        def play_chunk(first: int, deals: int) -> DuelTotals:
            games = [
                self._games(
                    [playing.rows(self.seed, first, deals, tally, self.columns) for playing in seatings]
                )
                for seatings in tables
            ]
            return self._totals(deals, games)

        return play_chunk

    def _games(self, played: Sequence[tuple[Integers, Integers]]) -> _Games:
        """Return what the rows of each seating of a pair show; a stopped game is shared by all sides."""
        sides = self.seatings.sides
        values = np.stack([rows for rows, _ in played])
        finished = np.stack([flags for _, flags in played])
        shares = np.where(finished[:, :, None] == 1, values[:, :, :sides], SHARE // sides)
        margins = np.einsum("sdi,wsi->wsd", values[:, :, sides:], self.weights)
        return _Games(
            wins=np.einsum("sdi,wsi->wsd", shares, self.weights),
            points=margins[FIRST] - margins[SECOND],
            stopped=int((finished == 0).sum()),
        )

    def _totals(self, deals: int, games: Sequence[_Games]) -> DuelTotals:
        differences = [each.wins[FIRST] - each.wins[SECOND] for each in games]
        by_deal = np.stack([difference.sum(axis=0) for difference in differences])
        return DuelTotals(
            deals=deals,
            stopped=sum(each.stopped for each in games),
            wins=np.stack([each.wins.sum(axis=(1, 2)) for each in games]).astype(object),
            products=exact_product(by_deal, by_deal.T),
            game_squares=_objects([exact_squares(difference) for difference in differences]),
            margins=_objects([int(each.points.sum()) for each in games]),
            margin_squares=_objects([exact_squares(each.points.sum(axis=0)) for each in games]),
            margin_game_squares=_objects([exact_squares(each.points) for each in games]),
            pentanomial=np.stack([self._pentanomial(each) for each in games]).astype(object),
            margin_counts=np.stack([self._margin_counts(each) for each in games]).astype(object),
            policy_squares=self._policy_squares(games),
        )

    def _pentanomial(self, games: _Games) -> Integers:
        """Return the deals by the score of the first of the pair; zeros with more than two sides."""
        if self.seatings.sides > 2:
            return np.zeros(PENTANOMIAL, np.int64)
        halves = games.wins[FIRST].sum(axis=0) // (SHARE // 2)
        return np.bincount(halves, minlength=PENTANOMIAL)

    def _margin_counts(self, games: _Games) -> Integers:
        """Return the games by the first's raw points less the second's; zeros with more than two sides."""
        if self.seatings.sides > 2:
            return np.zeros(2 * MOST_MARGIN + 1, np.int64)
        # with two sides each side's margin is the difference in half points, and `points` takes both
        raw = games.points.ravel() // (2 * HALF)
        return np.bincount(
            np.clip(raw, -MOST_MARGIN, MOST_MARGIN) + MOST_MARGIN, minlength=2 * MOST_MARGIN + 1
        )

    def _policy_squares(self, games: Sequence[_Games]) -> NDArray[np.object_]:
        wins = np.zeros((len(self.policies), games[0].points.shape[1]), np.int64)
        for pair, each in zip(self.pairs, games, strict=True):
            for which in (FIRST, SECOND):
                wins[pair[which]] += each.wins[which].sum(axis=0)
        return _objects([exact_squares(row) for row in wins])


def _objects(values: Sequence[int]) -> NDArray[np.object_]:
    return np.array(values, object)
