"""Many rounds or games of one rule set under given policies, and what they show."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analyzer import limits
from analyzer.metrics import summary_rows
from analyzer.policies import Policy, seat_policies
from analyzer.rulesets import RuleSet
from analyzer.tables import tables
from analyzer.version import __version__

if TYPE_CHECKING:
    import pandas

    from analyzer.tallies import Tallies
    from analyzer.workers import Progress

DEFAULT_SEED = 1
DEFAULT_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Result:
    """What a run showed.

    Attributes
    ----------
    rules, policies : the rule set, and the policy of each seat.
    by_games : whether games were played to the target, or single rounds.
    confidence : of the intervals.
    tallies : the whole-number totals that everything else is computed from.
    manifest : what was run, with what, as plain JSON values.
    """

    rules: RuleSet
    policies: tuple[Policy, ...]
    by_games: bool
    confidence: float
    tallies: Tallies
    manifest: dict[str, Any] = field(repr=False)

    @cached_property
    def summary_rows(self) -> list[dict[str, Any]]:
        """One row a metric and scope: metric, scope, estimate, std_error, low, high, n, unit."""
        return summary_rows(self.tallies, self.rules, self.policies, self.by_games, self.confidence)

    @cached_property
    def table_rows(self) -> dict[str, list[dict[str, Any]]]:
        """The rows of each table, by its name."""
        return tables(self.tallies, self.rules, self.by_games, self.confidence)

    @property
    def summary(self) -> pandas.DataFrame:
        """The summary rows as a DataFrame."""
        import pandas

        frame = pandas.DataFrame(self.summary_rows)
        if "clusters" in frame:  # only ratio rows have it; whole numbers stay whole
            frame["clusters"] = frame["clusters"].astype("Int64")
        return frame

    @property
    def tables(self) -> dict[str, pandas.DataFrame]:
        """Each table as a DataFrame."""
        import pandas

        return {name: pandas.DataFrame(rows) for name, rows in self.table_rows.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return manifest, summary and tables as plain JSON values."""
        return {"manifest": self.manifest, "summary": self.summary_rows, "tables": self.table_rows}


def simulate(
    rules: RuleSet,
    policies: str | Sequence[str | Policy],
    *,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    progress: Progress | None = None,
) -> Result:
    """Play many independent rounds, or games to the target.

    Parameters
    ----------
    rules : the rule set; its target is not looked at where rounds are played.
    policies : one for all seats, one a side (partners share), or one a seat.
    rounds, games : how many; exactly one of the two. Round k is round 0 of game k.
    seed : 0 to 2^62 - 1.
    threads : None: one a core. The result does not depend on it.
    first_game : number of the first game (or round).
    confidence : of the intervals.
    progress : called with (done, in all) now and then.

    Raises
    ------
    FivesError
        For a number out of range or an unknown policy.
    """
    count = limits.run_size(rounds, games)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
    limits.check_threads(threads)
    limits.check_confidence(confidence)
    by_games = games is not None
    played = _rules_to_play(rules, by_games)
    seats = seat_policies(policies, rules.sides)

    from analyzer import workers
    from analyzer.counting import Counting
    from analyzer.ledger import Ledger

    work = Counting(played, seats, seed)
    ledger = Ledger(work.none())
    began = time.perf_counter()
    tick = None if progress is None else lambda: progress(ledger.games, count)
    workers.play(work, (first_game, first_game + count), ledger, threads, tick)
    seconds = time.perf_counter() - began
    tallies = ledger.state()[1]
    manifest = _manifest(played, seats, by_games, count, seed, first_game, confidence, tallies)
    manifest["seconds"] = round(seconds, 3)
    return Result(played, seats, by_games, confidence, tallies, manifest)


def _rules_to_play(rules: RuleSet, by_games: bool) -> RuleSet:
    if by_games and rules.target is None:
        raise limits.no_target()
    return rules if by_games else rules.replace(target=None)


def _manifest(
    rules: RuleSet,
    policies: Sequence[Policy],
    by_games: bool,
    count: int,
    seed: int,
    first_game: int,
    confidence: float,
    tallies: Tallies,
) -> dict[str, Any]:
    import numba
    import numpy

    from kernels.cachedir import source_digest
    from kernels.rng import STREAM_VERSION

    return {
        "command": "simulate",
        "rules": rules.as_dict(),
        "policies": [{"name": policy.name, "weights": dict(policy.weights)} for policy in policies],
        "games" if by_games else "rounds": count,
        "finished": tallies.games,
        "stopped": tallies.stopped,
        "first_game": first_game,
        "seed": seed,
        "confidence": confidence,
        "random_stream_version": STREAM_VERSION,
        "kernel_digest": source_digest(),
        "versions": {
            "fives": __version__,
            "numba": numba.__version__,
            "numpy": numpy.__version__,
            "python": platform.python_version(),
        },
    }
