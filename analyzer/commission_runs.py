"""What a kept run of `compare` says about the games of its first policy against its second."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer import paired
from analyzer.compare import GAME, Comparison
from analyzer.duel_totals import MOST_MARGIN
from analyzer.errors import FivesError
from analyzer.resume import is_complete
from analyzer.saved import opened
from analyzer.stats import Estimate

if TYPE_CHECKING:
    from analyzer.duel_totals import DuelTotals


@dataclass(frozen=True)
class Record:
    """The games of a run.

    Attributes
    ----------
    names : the two policies.
    target : raw points.
    win_rate : of the first, the deal being the unit.
    margins : games by the first's raw points less the second's; 0 for a game that nobody won.
    """

    names: tuple[str, str]
    target: int
    win_rate: Estimate
    margins: dict[int, int]


def record_of(path: Path) -> Record:
    """Return what a run's folder says.

    Raises
    ------
    FivesError
        Where it holds no complete run of `compare` of two policies on two sides, game by game.
    """
    with opened(path) as folder:
        plan = folder.plan
        if not isinstance(plan, Comparison):
            raise FivesError(f"{path} holds a run of {plan.command}: give one of compare.")
        if not is_complete(folder):
            raise FivesError(f"{path} is not complete: first go on with fives resume {path}.")
        assert folder.saved is not None
        total = folder.saved.total
    return record_in(plan, total, str(path))


def record_in(plan: Comparison, total: DuelTotals, told: str) -> Record:
    """Return what the totals of a comparison say.

    Parameters
    ----------
    told : what a refusal calls the run.

    Raises
    ------
    FivesError
        Where the run is not of two policies on two sides, game by game.
    """
    if len(plan.policies) != 2 or plan.rules.side_count != 2:
        raise FivesError(f"{told} is no match of two: give a run of two policies on two sides.")
    if plan.per != GAME or plan.rules.target is None:
        raise FivesError(f"{told} holds single rounds: stakes are for games, so give a run of those.")
    counts = total.margin_counts[0].tolist()
    margins = {place - MOST_MARGIN: games for place, games in enumerate(counts) if games}
    (pair,) = plan.findings(total).pairs
    rate = paired.score_of_difference(pair.difference)
    return Record((pair.a.name, pair.b.name), plan.rules.target, rate, margins)
