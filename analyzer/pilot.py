"""Pilot games: played beside a run to learn the coefficients of its controls, and counted nowhere else.

They depend on the run's rules, policies and seed alone, so that its parts, wherever they are played, share
them. Their numbers begin where those of all runs end, so no game is in both (docs/randomness.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer import workers
from analyzer.controls import Coefficients, coefficients_of
from analyzer.counting import Counting
from analyzer.ledger import Ledger
from analyzer.limits import MAX_NUMBER
from analyzer.measures import Experiment
from analyzer.policies import Policy
from analyzer.rulesets import RuleSet
from analyzer.tallies import Tallies

COUNT = 2000  # games or rounds: learning from so few costs 3 / 2000 of the variance
FIRST = MAX_NUMBER  # the numbers of a run's games stay below


def learnt_coefficients(rules: RuleSet, policies: Sequence[Policy], seed: int) -> Coefficients:
    """Play the pilot of a run and return the coefficients of its controls.

    Parameters
    ----------
    rules : without a target, rounds are played.
    policies : one a seat.
    seed : the run's.
    """
    experiment = Experiment(rules, tuple(policies), rules.target is not None, control=True)
    work = Counting(rules, policies, seed, control=True)
    ledger: Ledger[Tallies] = Ledger(work.none())
    workers.play(work, (FIRST, FIRST + COUNT), ledger, threads=1)
    return coefficients_of(ledger.state()[1], experiment)
