"""Many games at one table, by the kernels that suit it: abreast in lanes where that can be, else one by one.

Both play the same games and count the same; lanes take half the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.dealing import check_dealt, new_table
from analyzer.given import Given
from analyzer.policies import Policy
from analyzer.rulesets import RuleSet
from analyzer.searching import search_state
from kernels import batch, lane_batch
from kernels.halves import TILES
from kernels.jit import JIT_DISABLED
from kernels.lanes import COUNT, LANES
from kernels.policies import ACCEPTED, POINTS, UNIFORM
from kernels.state import blank
from kernels.tiles import MAX_TILES

Integers = NDArray[np.int64]


def suits_lanes(rules: Any, policies: Any) -> bool:
    """Whether games of these records can be played in lanes."""
    kinds = set(policies["kind"][: rules["players"]].tolist())
    fitting = {UNIFORM, POINTS, ACCEPTED} if rules["by_fives"] else {UNIFORM}
    return bool(rules["tiles"] == TILES and kinds <= fitting)


class Playing:
    """Plays games of one rule set and one policy a seat, with records of its own: for one thread.

    Parameters
    ----------
    policies : one a seat.
    records : the rule set and the policies as records of the kernels.
    given : how games start; None: as always.
    abreast : whether lanes are used where they can be; None: where they are quicker, which they are not in
        plain Python.
    """

    def __init__(
        self,
        rules: RuleSet,
        policies: Sequence[Policy],
        records: tuple[Any, Any],
        given: Given | None = None,
        *,
        abreast: bool | None = None,
    ) -> None:
        self._records, self._given = records, given
        self._table = new_table(rules, given)
        self._search = search_state(policies, rules, self._table)
        abreast = not JIT_DISABLED if abreast is None else abreast
        deals_as_always = given is None or not given.changes_deal
        self._abreast = abreast and self._search is None and deals_as_always and suits_lanes(*records)
        if self._abreast:
            self._tables, self._lanes = np.full(COUNT, self._table), blank(LANES)

    def count(
        self, seed: int, first: int, games: int, tally: Any, pairs: Integers, products: Integers
    ) -> None:
        """Play games and add them to a tally, as `kernels.batch.play_games` does.

        Raises
        ------
        FivesError
            Where no deal that meets the condition was found.
        """
        what = seed, first, games, tally, pairs, products
        if self._abreast:
            lane_batch.play_games(self._tables, self._lanes, *self._records, *what)
        else:
            batch.play_games(self._table, *self._records, self._search, *what)
            check_dealt(self._table, self._given)

    def rows(
        self, seed: int, first: int, games: int, tally: Any, columns: Integers
    ) -> tuple[Integers, Integers]:
        """Play games and return some quantities of each, and which finished; see `kernels.batch.play_rows`.

        Returns
        -------
        int64 (games, columns), int64 (games,)

        Raises
        ------
        FivesError
            Where no deal that meets the condition was found.
        """
        values, finished = np.zeros((games, len(columns)), np.int64), np.zeros(games, np.int64)
        what = seed, first, games, tally, columns, values, finished
        if self._abreast:
            lane_batch.play_rows(self._tables, self._lanes, *self._records, *what)
        else:
            batch.play_rows(self._table, *self._records, self._search, *what)
            check_dealt(self._table, self._given)
        return values, finished

    def leads(self, seed: int, first: int, rounds: int, tally: Any) -> tuple[Integers, Integers, Integers]:
        """Play each round with every tile of the opener's hand as the lead; see `kernels.batch.play_leads`.

        Returns
        -------
        int64 (rounds,), int64 (rounds, MAX_TILES), int64 (rounds, MAX_TILES)
            The tile that the opener's policy leads; by lead its side's share and its margin.
        """
        own = np.zeros(rounds, np.int64)
        shares, margins = (np.zeros((rounds, MAX_TILES), np.int64) for _ in range(2))
        what = seed, first, rounds, tally, own, shares, margins
        if self._abreast:
            lane_batch.play_leads(self._tables, self._lanes, *self._records, *what)
        else:
            batch.play_leads(self._table, *self._records, self._search, *what)
        return own, shares, margins
