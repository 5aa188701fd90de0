"""Sums and sums of products of whole-number columns: what means, ratios and their errors are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INT64_ROOM = 1 << 62


@dataclass(frozen=True)
class Moments:
    """What rows of k whole numbers add up to, in unbounded integers.

    Attributes
    ----------
    count : rows.
    sums : each column's sum; k of them.
    products : products[i][j] is the sum over rows of column i times column j; k by k.
    """

    count: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def none(cls, columns: int) -> Moments:
        """Return the moments of no rows."""
        return cls(0, (0,) * columns, ((0,) * columns,) * columns)

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> Moments:
        """Return the moments of the rows of an int64 array (n, k)."""
        largest = int(np.abs(values).max(initial=0))
        wide = largest * largest * len(values) >= _INT64_ROOM
        exact: NDArray[Any] = values.astype(object) if wide else values
        sums, products = exact.sum(axis=0), exact.T @ exact
        return cls(len(values), tuple(sums.tolist()), tuple(map(tuple, products.tolist())))

    def __add__(self, other: Moments) -> Moments:
        """Return the moments of the rows of both."""
        return Moments(
            self.count + other.count,
            _added(self.sums, other.sums),
            tuple(map(_added, self.products, other.products)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the moments as plain JSON values."""
        return {
            "count": self.count,
            "sums": list(self.sums),
            "products": [list(row) for row in self.products],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Moments:
        """Return the moments that `as_dict` wrote; KeyError, TypeError or ValueError where it did not."""
        sums = tuple(map(int, data["sums"]))
        products = tuple(tuple(map(int, row)) for row in data["products"])
        if {len(sums)} != {len(products), *map(len, products)}:
            raise ValueError(f"{len(sums)} sums do not go with the products given")
        return cls(int(data["count"]), sums, products)


def _added(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))
