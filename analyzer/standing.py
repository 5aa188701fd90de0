"""What the scores between rounds are worth to two sides: the table that rollouts value a round's end by.

It is a pure function of the rules and the base policy: ROUNDS rounds without a target, with the base policy
in all seats, are kept as their events in order, and `kernels.standing` replays them from every pair of
scores.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.limits import MAX_NUMBER
from analyzer.policies import Policy
from analyzer.records import policies_record, rules_record
from analyzer.rulesets import RuleSet, gain_step
from kernels import record
from kernels.batch import record_game
from kernels.rules import HALF, OPENER_IN_TURN, OPENER_LAST
from kernels.standing import LARGEST, LOT, OTHER, SAME, STANDING, solve_chain
from kernels.state import END_OUT, TABLE, blank
from kernels.tallies import TALLY

ROUNDS = 2000
SEED = MAX_NUMBER  # no run has it
LOWEST = 3  # where a partner's pips can lower a score, those below minus a third of the target count as it
_ROOM = 512  # rows of a round's record

Integers = NDArray[np.int64]


def is_valued_by_scores(rules: RuleSet) -> bool:
    """Whether what follows a round is valued by the scores of its end alone."""
    return rules.target is not None and rules.side_count == 2


def scale(rules: RuleSet) -> Any:
    """Return the places of the table for a rule set as a `kernels.standing.STANDING` record."""
    standing = blank(STANDING)
    standing["unit"], standing["size"] = 1, 1
    if not is_valued_by_scores(rules):
        return standing
    assert rules.target is not None
    step = max(1, gain_step(rules))
    can_fall = rules.partner == "debited" and rules.has_partners
    lowest = -(rules.target // LOWEST // step * step) if can_fall else 0
    step *= -(-(rules.target - lowest) // (LARGEST * step))
    standing["unit"], standing["lowest"] = HALF * step, HALF * lowest
    standing["size"] = -(-(rules.target - lowest) // step)
    return standing


@lru_cache(maxsize=32)
def chances_of(rules: RuleSet, base: Policy) -> Integers:
    """Return the chances, in millionths, of the side that opens the next round.

    Parameters
    ----------
    rules : a table of one place where scores alone do not value a round's end.
    base : the policy of all seats.

    Returns
    -------
    int64 (size, size)
        By the places of the opener's side's score and of the other's.
    """
    standing = scale(rules)
    chances = np.zeros((int(standing["size"]),) * 2, np.int64)
    if is_valued_by_scores(rules):
        gains, ends, nexts = _sampled(rules, base)
        solve_chain(rules_record(rules), standing, gains, ends, nexts, chances)
    chances.flags.writeable = False
    return chances


def _sampled(rules: RuleSet, base: Policy) -> tuple[Integers, Integers, Integers]:
    """Return events, their ends and the next openers of the sampled rounds, as `solve_chain` takes them."""
    played = _as_later_rounds(rules.replace(target=None))
    records = rules_record(played), policies_record([base] * rules.players, played)
    table, tally = blank(TABLE), blank(TALLY)
    log = np.zeros((_ROOM, record.WIDTH), np.int64)
    gains, ends, nexts = [], [], []
    for number in range(ROUNDS):
        record_game(table, *records, None, SEED, number, tally, log)
        rows = log[1 : int(log[0, 0])]
        opener = rules.sides[int(rows[0, 1])]
        gains.append(_gains(rows, rules, opener))
        ends.append(len(gains[-1]))
        nexts.append(_next(rows, records[0], rules, opener))
    return np.concatenate(gains), np.cumsum(ends), np.array(nexts, np.int64)


def _as_later_rounds(rules: RuleSet) -> RuleSet:
    """Return the rules of single rounds, opened as rounds after the first are.

    Where the highest double names some of their openers, it is all of them that are sampled so, or none.
    """
    later = [rules.opener_after_out, rules.opener_after_block]
    if "highest_double" not in [rules.opener_first, *later]:
        return rules
    always = later == ["highest_double"] * 2
    return rules.replace(opener_first="highest_double" if always else "lot")


def _gains(rows: Integers, rules: RuleSet, opener: int) -> Integers:
    """Return (0 for the opener's side or 1, half points) of each event of a round."""
    scored = (rows[:, 0] == record.TURN) & (rows[:, 6] != record.UNTESTED)
    rows = rows[scored | (rows[:, 0] == record.EVENT)]
    is_turn = rows[:, 0] == record.TURN
    sides = np.where(is_turn, np.array(rules.sides)[rows[:, 1]], rows[:, 1])
    points = np.where(is_turn, rows[:, 5], rows[:, 6])
    return np.column_stack([(sides != opener).astype(np.int64), points])


def _next(rows: Integers, rules_: Any, rules: RuleSet, opener: int) -> int:
    """Return who opens the next round: LOT, SAME or OTHER."""
    by = rules_["after_out"] if rows[-1, 1] == END_OUT else rules_["after_block"]
    if by == OPENER_LAST:
        seat = int(rows[(rows[:, 0] == record.TURN) & (rows[:, 3] != record.NO_PLACEMENT)][-1, 1])
    elif by == OPENER_IN_TURN:
        seat = (int(rows[0, 1]) + 1) % rules.players
    else:
        return LOT
    return SAME if rules.sides[seat] == opener else OTHER
