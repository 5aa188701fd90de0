"""The totals of `compare`: whole numbers that add up exactly in any order, and are kept as JSON.

A *deal* is one game number, played once in every seating of every pair of policies. Of each pair A, B the
deal's value is the sum over its seatings of A's wins per side held less B's; the unit of wins is
1 / (12 * scale), that of points 1 / (2 * sides * scale) raw points (`Seatings.scale`), so that all are whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import FivesError

PENTANOMIAL = 5  # the score of a deal's two games: 0, 1/2, 1, 1 1/2, 2
MOST_MARGIN = 1000  # raw points; the first and last place of a histogram stand for that and more
_INT64_ROOM = 1 << 63


@dataclass(eq=False)
class DuelTotals:  # noqa: PLW1641 -- holds arrays, so it has no hash
    """What a number of deals added up to; arrays hold Python integers (dtype object).

    P pairs stand in the order of `analyzer.seatings.pairs_of`, N policies in that of the list.

    Attributes
    ----------
    deals : deals played.
    stopped : games among all seatings that the round guard stopped; each is shared by all sides.
    wins : [P, 2], wins per side held, of the first and of the second of the pair.
    products : [P, P], products of the values of two pairs on the same deal; the squares on the diagonal.
    game_squares : [P], squares of the differences of single games.
    margins : [P], differences of points per side held.
    margin_squares : [P], their squares, deal by deal.
    margin_game_squares : [P], and game by game.
    pentanomial : [P, 5], deals by the score of the first of the pair; 0 where there are more than two sides.
    margin_counts : [P, 2 * MOST_MARGIN + 1], games by the raw points of the first of the pair less those of
        the second, from -MOST_MARGIN on; 0 with more than two sides. A stopped game counts as 0 points.
    policy_squares : [N], squares of a policy's wins per side held on a deal, over all its seatings.
    """

    deals: int
    stopped: int
    wins: NDArray[Any]
    products: NDArray[Any]
    game_squares: NDArray[Any]
    margins: NDArray[Any]
    margin_squares: NDArray[Any]
    margin_game_squares: NDArray[Any]
    pentanomial: NDArray[Any]
    margin_counts: NDArray[Any]
    policy_squares: NDArray[Any]

    @classmethod
    def zero(cls, policies: int) -> DuelTotals:
        """Return the totals of no deals."""
        arrays: dict[str, Any] = {name: _zeros(shape) for name, shape in _shapes(policies).items()}
        return cls(0, 0, **arrays)

    def __add__(self, other: DuelTotals) -> DuelTotals:
        """Return the totals of both; they must be of the same policies."""
        if self.wins.shape != other.wins.shape:
            raise ValueError("totals of different numbers of policies cannot be added")
        names = (field.name for field in fields(self))
        return DuelTotals(**{name: getattr(self, name) + getattr(other, name) for name in names})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DuelTotals):
            return NotImplemented
        return self.as_dict() == other.as_dict()

    @property
    def differences(self) -> NDArray[Any]:
        """Each pair's values summed, [P]."""
        found: NDArray[Any] = self.wins[:, 0] - self.wins[:, 1]
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the totals as plain JSON values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value if isinstance(value, int) else value.tolist() for name, value in values.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], policies: int) -> DuelTotals:
        """Return the totals that `as_dict` wrote for so many policies.

        Raises
        ------
        FivesError
            Where they are not in that form.
        """
        try:
            arrays: dict[str, Any] = {
                name: _read(data[name], shape) for name, shape in _shapes(policies).items()
            }
            totals = cls(_whole(data["deals"]), _whole(data["stopped"]), **arrays)
        except (KeyError, TypeError, ValueError) as error:
            raise FivesError(
                "the saved totals are not in the form that this version writes: start the run afresh."
            ) from error
        return totals


def _shapes(policies: int) -> dict[str, tuple[int, ...]]:
    pairs = comb(policies, 2)
    return {
        "wins": (pairs, 2),
        "products": (pairs, pairs),
        "game_squares": (pairs,),
        "margins": (pairs,),
        "margin_squares": (pairs,),
        "margin_game_squares": (pairs,),
        "pentanomial": (pairs, PENTANOMIAL),
        "margin_counts": (pairs, 2 * MOST_MARGIN + 1),
        "policy_squares": (policies,),
    }


def _zeros(shape: tuple[int, ...]) -> NDArray[Any]:
    return np.zeros(shape, np.int64).astype(object)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _read(values: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    array = np.array(values, object)
    if array.shape != shape:
        raise ValueError(f"shape {array.shape} instead of {shape}")
    for value in array.flat:
        _whole(value)
    return array


def exact_product(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[Any]:
    """Return the matrix product a @ b as Python integers, exact also where it passes 2^63.

    Parameters
    ----------
    a, b : int64[I, G] and int64[G, J].
    """
    most = [int(np.abs(array).max(initial=0)) for array in (a, b)]
    if most[0] * most[1] * max(a.shape[1], 1) >= _INT64_ROOM:
        return a.astype(object) @ b.astype(object)  # type: ignore[no-any-return]
    return (a @ b).astype(object)


def exact_squares(values: NDArray[np.int64]) -> int:
    """Return the sum of the squares of an array."""
    flat = values.reshape(1, -1)
    return int(exact_product(flat, flat.T)[0, 0])
