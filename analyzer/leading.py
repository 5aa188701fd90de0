"""The work of `openings`: each deal is played with every tile of the opener's hand as the lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError
from analyzer.moments import Moments
from analyzer.playing import Playing
from analyzer.policies import Policy
from analyzer.records import policies_record, rules_record
from analyzer.rulesets import RuleSet
from kernels.state import blank
from kernels.tallies import TALLY

_RESULT, _WITH_GAPS = 2, 4  # columns: share and margin; then those less the own lead's


@dataclass(frozen=True)
class TileTotals:
    """What the deals added up to in which the opener holds one tile.

    Attributes
    ----------
    led : deals in which the policy leads it.
    moments : of four columns, with the tile as the lead: the opener's side's share of the round in twelfths,
        its margin in half points times (sides - 1), and both less those of the policy's own lead.
    """

    led: int
    moments: Moments

    def __add__(self, other: TileTotals) -> TileTotals:
        """Return the totals of both."""
        return TileTotals(self.led + other.led, self.moments + other.moments)


@dataclass(frozen=True)
class LeadTotals:
    """What a number of deals added up to.

    Attributes
    ----------
    own : of share and margin as the policy leads, all deals.
    tiles : by tile number.
    """

    own: Moments
    tiles: tuple[TileTotals, ...]

    @classmethod
    def none(cls, tiles: int) -> LeadTotals:
        """Return the totals of no deals for a set of so many tiles."""
        return cls(Moments.none(_RESULT), (TileTotals(0, Moments.none(_WITH_GAPS)),) * tiles)

    @classmethod
    def of(cls, own: NDArray[np.int64], shares: NDArray[np.int64], margins: NDArray[np.int64]) -> LeadTotals:
        """Return the totals of the deals of `kernels.batch.play_leads`.

        Parameters
        ----------
        own : int64 (deals,), the tile that the policy leads.
        shares, margins : int64 (deals, tiles); a share of -1 where the opener does not hold the tile.
        """
        results = np.stack([shares, margins], axis=2)
        own_results = results[np.arange(len(own)), own]
        tiles = []
        for tile in range(shares.shape[1]):
            holding = shares[:, tile] >= 0
            found = results[holding, tile]
            gaps = found - own_results[holding]
            led = int(np.count_nonzero(own == tile))
            tiles.append(TileTotals(led, Moments.of(np.hstack([found, gaps]))))
        return cls(Moments.of(own_results), tuple(tiles))

    def __add__(self, other: LeadTotals) -> LeadTotals:
        """Return the totals of both, tile by tile."""
        tiles = tuple(a + b for a, b in zip(self.tiles, other.tiles, strict=True))
        return LeadTotals(self.own + other.own, tiles)

    def as_dict(self) -> dict[str, Any]:
        """Return the totals as plain JSON values."""
        return {
            "own": self.own.as_dict(),
            "tiles": [{"led": tile.led, "moments": tile.moments.as_dict()} for tile in self.tiles],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LeadTotals:
        """Return the totals that `as_dict` wrote; FivesError where it is not in that form."""
        try:
            tiles = [
                TileTotals(int(tile["led"]), Moments.from_dict(tile["moments"])) for tile in data["tiles"]
            ]
            own = Moments.from_dict(data["own"])
            if len(own.sums) != _RESULT or any(len(tile.moments.sums) != _WITH_GAPS for tile in tiles):
                raise ValueError("other columns")
        except (KeyError, TypeError, ValueError) as error:
            raise FivesError(
                "the saved totals are not in the form that this version writes: start the run afresh."
            ) from error
        return cls(own, tuple(tiles))


class Leading:
    """Plays rounds once with each tile of the opener's hand as the lead.

    Parameters
    ----------
    rules : without a target.
    policies : one a seat; after the lead they go on as always.
    """

    def __init__(self, rules: RuleSet, policies: Sequence[Policy], seed: int) -> None:
        self.seed = seed
        self.tiles = rules.tiles
        self.rules, self.policies = rules, policies
        weights = policies_record(policies, rules)
        self.records = rules_record(rules), weights

    def none(self) -> LeadTotals:
        """Return the totals of no deals."""
        return LeadTotals.none(self.tiles)

    def player(self) -> Callable[[int, int], LeadTotals]:
        """Return a function that plays (first deal, number of deals), with records of its own."""
        playing, tally = Playing(self.rules, self.policies, self.records), blank(TALLY)

        def play_chunk(first: int, deals: int) -> LeadTotals:
            own, shares, margins = playing.leads(self.seed, first, deals, tally)
            return LeadTotals.of(own, shares[:, : self.tiles], margins[:, : self.tiles])

        return play_chunk
