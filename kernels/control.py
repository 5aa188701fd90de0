"""Control variates: how the deal favours the opener's side, which is 0 on average by symmetry.

A tile drawn for one seat could as well have been dealt to any other, and the opener is known before the deal
or drawn apart from it. So the expected difference between its side and the others is 0 in every round, and
over a game too, since the number of its rounds is a stopping time.
"""

from __future__ import annotations

from kernels.bits import lowest, popcount
from kernels.jit import kernel
from kernels.settlement import pips_of
from kernels.tallies import ROW
from kernels.tiles import DOUBLES, PIPS

_PIPS, _DOUBLES, _LEADS = (ROW[f"control_{name}"] for name in ("pips", "doubles", "leads"))


@kernel
def scoring_leads(hand, rules):
    """Return how many tiles of a hand score when led: the count is then their pips, doubles too."""
    leads = 0
    while hand:
        leads += 1 if rules.score[PIPS[lowest(hand)]] > 0 else 0
        hand &= hand - 1
    return leads


@kernel
def count_controls(table, rules, tally):
    """Add the round's controls, times (sides - 1), to those of the game: own side's less the other sides'."""
    opener_side = rules.side[table.opener]
    for seat in range(rules.players):
        hand = table.dealt[seat]
        weight = rules.sides - 1 if rules.side[seat] == opener_side else -1
        tally.rows[_PIPS, table.slot] += weight * pips_of(hand)
        tally.rows[_DOUBLES, table.slot] += weight * popcount(hand & DOUBLES)
        tally.rows[_LEADS, table.slot] += weight * scoring_leads(hand, rules)
