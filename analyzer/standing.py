"""What the scores between rounds are worth to two sides: the table that rollouts value a round's end by.

It is a race table (`analyzer.race_chain`), a pure function of the rules and the base policy: of ROUNDS rounds
with the base policy in all seats and the target in force, from every pair of scores.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.limits import MAX_NUMBER
from analyzer.policies import Policy
from analyzer.race_chain import Chain
from analyzer.race_sample import Racing
from analyzer.rulesets import RuleSet, gain_step
from kernels.race import Grid
from kernels.rules import HALF
from kernels.standing import STANDING, WHOLE
from kernels.state import blank

ROUNDS = 2000
SEED = MAX_NUMBER  # no run has it
LARGEST = 128  # scores a side
LOWEST = 3  # where a partner's pips can lower a score, those below minus a third of the target count as it
TOLERANCE, MOST_PASSES = 1e-4, 20  # of a chance, where scores can fall

Integers = NDArray[np.int64]


def is_valued_by_scores(rules: RuleSet) -> bool:
    """Whether what follows a round is valued by the scores of its end alone."""
    return rules.target is not None and rules.side_count == 2


def grid_of(rules: RuleSet) -> Grid:
    """Return the scores of the table; of one place where scores alone do not value a round's end."""
    step = max(1, gain_step(rules))
    if not is_valued_by_scores(rules):
        return Grid(1, 1, 1, 0, 1)
    assert rules.target is not None
    can_fall = rules.partner == "debited" and rules.has_partners
    lowest = -(rules.target // LOWEST // step) if can_fall else 0
    goal = -(-rules.target // step) - lowest
    coarse = -(-goal // LARGEST)
    return Grid(-(-goal // coarse), coarse, goal, lowest, HALF * step)


def scale(rules: RuleSet) -> Any:
    """Return the places of the table for a rule set as a `kernels.standing.STANDING` record."""
    grid, standing = grid_of(rules), blank(STANDING)
    standing["unit"], standing["lowest"] = grid.unit * grid.coarse, grid.unit * grid.lowest
    standing["places"] = grid.size
    return standing


@lru_cache(maxsize=32)
def chances_of(rules: RuleSet, base: Policy) -> Integers:
    """Return the chances, in millionths, of the side that opens the next round.

    Where the highest double names the opener of every later round, they are those of the side that it will
    name; where it names some of them, these count as opened by lot.

    Parameters
    ----------
    rules : a table of one place where scores alone do not value a round's end.
    base : the policy of all seats.

    Returns
    -------
    int64 (size, size)
        By the places of the opener's side's score and of the other's.
    """
    grid = grid_of(rules)
    chances = np.zeros((grid.size, grid.size), np.int64)
    if is_valued_by_scores(rules):
        later = {rules.opener_after_out, rules.opener_after_block}
        work = Racing(rules, [base] * rules.players, SEED, grid, by_highest=later == {"highest_double"})
        is_exact = rules.target_kind == "exact"
        chain = Chain(work.player()(0, ROUNDS), grid, exact=is_exact, mirror=True, batches=1)
        chain.solve(1, TOLERANCE, MOST_PASSES)
        chances = np.rint(chain.values[0] * WHOLE).astype(np.int64)
    chances.flags.writeable = False
    return chances
