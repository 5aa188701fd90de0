"""Who sits where when two policies meet on a deal: every seating in which both hold at least one side."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FIRST, SECOND = 0, 1  # of the pair


@dataclass(frozen=True)
class Seatings:
    """The seatings of a pair on a deal.

    With two sides there are two: one policy on each side, then swapped. With k sides there are 2^k - 2. They
    are the same set for A, B and for B, A.

    Attributes
    ----------
    sides : 2, 3 or 4.
    """

    sides: int

    @cached_property
    def holders(self) -> list[tuple[int, ...]]:
        """For each seating the holder of each side: FIRST or SECOND of the pair."""
        every = itertools.product((FIRST, SECOND), repeat=self.sides)
        return [holders for holders in every if len(set(holders)) > 1]

    @property
    def count(self) -> int:
        """Number of seatings."""
        return len(self.holders)

    @property
    def scale(self) -> int:
        """What makes means over the sides that a policy may hold (1 to sides - 1) whole: 1, 2 or 6."""
        return math.lcm(*range(1, self.sides))

    def weights(self, which: int) -> NDArray[np.int64]:
        """Return the weight of each side in the mean over the sides that one of the pair holds.

        Parameters
        ----------
        which : FIRST or SECOND.

        Returns
        -------
        int64[count, sides]
            `scale` divided by the sides held, or 0 for a side that the other holds.
        """
        held = np.array(self.holders) == which
        return np.where(held, self.scale // held.sum(axis=1, keepdims=True), 0).astype(np.int64)


def pairs_of(policies: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a round robin by the policies' places in the list."""
    return itertools.combinations(range(policies), 2)
