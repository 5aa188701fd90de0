"""What a round that has ended is worth to two sides: the chance to win the game, looked up by the scores.

The table of chances is that of the chain of rounds (`kernels.chain`), for one policy in all seats.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import kernel
from kernels.rules import OPENER_IN_TURN, OPENER_LAST
from kernels.state import END_OUT

WHOLE = 1_000_000  # the chance 1

STANDING = np.dtype(
    [
        ("unit", np.int64),  # half points between two neighbouring scores of the table
        ("lowest", np.int64),  # half points of its first score; lower ones count as this
        ("places", np.int64),  # scores a side: the last is the highest below the target
    ]
)


@kernel
def _place_of(standing, score):
    """Return the place of a score in the table; scores between two places count as the lower one."""
    place = (score - standing.lowest) // standing.unit
    return min(max(place, 0), standing.places - 1)


@kernel
def chance(standing, chances, own, other):
    """Return the chance, in millionths, of the side that opens the next round to win the game."""
    return chances[_place_of(standing, own), _place_of(standing, other)]


@kernel
def game_share(table, rules, side):
    """Return a side's share of a game that is over, in millionths: shared by the highest scores."""
    highest, sharing = table.scores[0], 0
    for other in range(rules.sides):
        highest = max(highest, table.scores[other])
    for other in range(rules.sides):
        sharing += 1 if table.scores[other] == highest else 0
    return WHOLE // sharing if table.scores[side] == highest else 0


@kernel
def _chance_of_first(standing, chances, table, rules):
    """Return the chance of side 0 after a round that has not ended the game."""
    opens = chance(standing, chances, table.scores[0], table.scores[1])
    waits = WHOLE - chance(standing, chances, table.scores[1], table.scores[0])
    by = rules.after_out if table.end == END_OUT else rules.after_block
    if by == OPENER_LAST:
        seat = table.last
    elif by == OPENER_IN_TURN:
        seat = table.opener + 1 if table.opener + 1 < rules.players else 0
    else:
        return (opens + waits) // 2
    return opens if rules.side[seat] == 0 else waits


@kernel
def two_sided_worth(standing, chances, table, rules, side):
    """Return what a settled round is worth to one of two sides.

    Returns
    -------
    int : without a target its margin in half points; with one its chance to win the game, in millionths.
    """
    if rules.target == 0:
        return table.scores[side] - table.scores[1 - side]
    if table.over:
        first = game_share(table, rules, 0)
    else:
        first = _chance_of_first(standing, chances, table, rules)
    return first if side == 0 else WHOLE - first  # so that both add up to one, whatever is rounded
