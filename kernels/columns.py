"""The tally's buffer: a column a game, folded into the totals when many are finished."""

from __future__ import annotations

import numpy as np

from kernels.jit import kernel
from kernels.tallies import QUANTITIES

_QUANTITIES = len(QUANTITIES)


@kernel
def fold(tally, column, games, pairs, products):
    """Add the sums and products of `games` columns from `column` on to the totals and clear them."""
    # unsigned, so that no index can be below 0: signed ones are tested one by one, which is no vector code
    begin, end = np.uint64(column), np.uint64(column + games)
    for pair in range(pairs.shape[0]):
        first, second = pairs[pair, 0], pairs[pair, 1]
        product = 0
        for game in range(begin, end):
            product += tally.rows[first, game] * tally.rows[second, game]
        products[pair] += product
    for row in range(_QUANTITIES):
        total, present = 0, 0
        for game in range(begin, end):
            value = tally.rows[row, game]
            total += value
            present += 1 if value != 0 else 0
            tally.rows[row, game] = 0
        tally.sums[row] += total
        tally.present[row] += present


@kernel
def clear_column(table, tally):
    """Clear the column of the table's game."""
    for row in range(_QUANTITIES):
        tally.rows[row, table.slot] = 0
