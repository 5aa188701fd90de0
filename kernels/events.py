"""Score events: accepted, or refused by an exact target; and what is counted of them."""

from __future__ import annotations

import numpy as np

from kernels.jit import inlined, kernel
from kernels.tallies import NEEDS, ROW

# kinds of event, in the order of `tallies.KINDS`; int64, since a literal would have its own machine code
PLAY, OUT, BLOCK = np.int64(0), np.int64(1), np.int64(2)

_EVENTS = ROW["events_play"]
_REJECTED = ROW["rejected_play"]
_POINTS_REJECTED = ROW["points_rejected"]
_OVERSHOT = ROW["overshot"]
_POLICY_EVENTS = ROW["policy_events_0"]
_POLICY_REJECTED = ROW["policy_rejected_0"]


@kernel
def _count_event(table, rules, net, score, kind, rejected, policy, tally):
    """Count an event with positive net points in a game."""
    need = min((rules.target - score + rules.five - 1) // rules.five, NEEDS - 1)
    tally.rows[_EVENTS + kind, table.slot] += 1
    tally.rows[_POLICY_EVENTS + policy, table.slot] += 1
    tally.needs[need, 0] += table.weight
    if not rejected:
        tally.needs[need, 1] += table.weight
        if score + net >= rules.target:
            tally.needs[need, 3] += table.weight
        return
    tally.needs[need, 2] += table.weight
    tally.rows[_REJECTED + kind, table.slot] += 1
    tally.rows[_POLICY_REJECTED + policy, table.slot] += 1
    tally.rows[_POINTS_REJECTED, table.slot] += net
    tally.rows[_OVERSHOT, table.slot] = 1
    if table.overshot_round < 0:
        table.overshot_round = table.game_round


@inlined
def apply_event(table, rules, side, net, kind, policy, tally):
    """Apply or refuse an event of `net` half points; set `table.over` where it wins the game.

    Parameters
    ----------
    policy : index of the policy whose seat earned it.
    tally : the tally record, or None where the round is only imagined.

    Returns
    -------
    bool : accepted.
    """
    score = table.scores[side]
    if rules.target == 0:
        table.scores[side] = score + net
        return True
    rejected = rules.exact == 1 and score + net > rules.target
    if tally is not None and net > 0:
        _count_event(table, rules, net, score, kind, rejected, policy, tally)
    if rejected:
        return False
    table.scores[side] = score + net
    if score + net >= rules.target:
        table.over = 1
    return True
