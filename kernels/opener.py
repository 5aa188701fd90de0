"""Who opens the next round of a game."""

from __future__ import annotations

from kernels.jit import kernel
from kernels.rng import OPENER, below, child
from kernels.rules import OPENER_HIGHEST, OPENER_IN_TURN, OPENER_LOT
from kernels.state import END_OUT


@kernel
def name_opener(table, rules, round_key):
    """Set the opener of the next round, or that the dealt hands will name it."""
    by = rules.after_out if table.end == END_OUT else rules.after_block
    if table.game_round == 0:
        by = rules.first
    table.by_lot = 1 if by == OPENER_LOT else 0
    table.by_highest = 1 if by == OPENER_HIGHEST else 0
    table.due_lead = 0
    if by == OPENER_LOT:
        table.opener = below(child(round_key, OPENER), 0, rules.players)
    elif by == OPENER_IN_TURN:
        following = table.opener + 1 if table.game_round else 0
        table.opener = following if following < rules.players else 0
    elif by != OPENER_HIGHEST:
        table.opener = table.last
