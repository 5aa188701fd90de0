"""Which lead is best: on the same deals, the opener leads each tile of its hand in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer import limits
from analyzer.errors import FivesError
from analyzer.notation import Tile, format_tile, tile_set
from analyzer.plans import Report, Result, Row, execute
from analyzer.policies import Policy, seat_policies
from analyzer.rulesets import RuleSet, as_rule_set, openers_of
from analyzer.seated import SeatedPlan
from analyzer.settings import policies_from, rules_from
from analyzer.simulate import DEFAULT_CONFIDENCE, DEFAULT_SEED
from analyzer.stats import Estimate, mean, rate, wilson_interval

if TYPE_CHECKING:
    from analyzer.leading import Leading, LeadTotals, TileTotals
    from analyzer.moments import Moments
    from analyzer.workers import Progress

SHARE, HALF = 12, 2  # units of the totals: twelfths of a round, half points
_SHARE, _MARGIN, _GAP, _MARGIN_GAP = range(4)


@dataclass(frozen=True)
class Openings(SeatedPlan):
    """The plan of `openings`.

    Attributes
    ----------
    rules : without a target.
    policies : one a seat.
    count : deals; deal k is round 0 of game k.
    """

    command: ClassVar[str] = "openings"

    @property
    def headline(self) -> str:
        """What the policy's own leads win."""
        return "opener_win_rate"

    def work(self) -> Leading:
        """Return what the threads play."""
        from analyzer.leading import Leading

        return Leading(self.rules, self.policies, self.seed)

    def total_from_dict(self, data: Mapping[str, Any]) -> LeadTotals:
        """Return totals that `LeadTotals.as_dict` wrote."""
        from analyzer.leading import LeadTotals

        return LeadTotals.from_dict(data)

    def report(self, total: LeadTotals) -> Report:
        """Return the table `leads`, best first, what the own leads come to, and the best lead in words."""
        held = [
            (tile, totals)
            for tile, totals in zip(tile_set(self.rules.set), total.tiles, strict=True)
            if totals.moments.count
        ]
        held.sort(key=lambda pair: -_gap(pair[1].moments, self.confidence).estimate)  # type: ignore[operator]
        rows = [self._row(tile, totals) for tile, totals in held]
        return Report(self._summary(total.own), {"leads": rows}, sentences=self._best(held))

    def _margin(self, moments: Moments, column: int) -> Estimate:
        return _mean(moments, column, self.confidence, HALF * (self.rules.side_count - 1))

    def _share(self, moments: Moments) -> Estimate:
        squares = moments.products[_SHARE][_SHARE]
        return rate(moments.count, moments.sums[_SHARE], squares, self.confidence, SHARE)

    def _summary(self, own: Moments) -> list[Row]:
        return [
            self._share(own).row("opener_win_rate", "all", "rate"),
            self._margin(own, _MARGIN).row("opener_margin", "all", "raw points"),
        ]

    def _row(self, tile: Tile, totals: TileTotals) -> Row:
        moments = totals.moments
        columns = {
            "opener_win_rate": self._share(moments),
            "gap": _gap(moments, self.confidence),
            "margin": self._margin(moments, _MARGIN),
            "margin_gap": self._margin(moments, _MARGIN_GAP),
        }
        row: Row = {"tile": format_tile(tile), "n": moments.count, "led": totals.led}
        for name, found in columns.items():
            prefix = "" if name == "opener_win_rate" else f"{name}_"
            row |= {name: found.estimate, f"{prefix}low": found.low, f"{prefix}high": found.high}
        return row | {"count": tile.high + tile.low}  # a lone double counts 2v, the same sum

    def _best(self, held: Sequence[tuple[Tile, TileTotals]]) -> list[str]:
        """Return which lead is best, by rounds won and by points; nothing before the first deal."""
        if not held:
            return []
        confidence = 1 - (1 - self.confidence) / len(held)  # Bonferroni: the best of many was picked
        won = [(tile, _gap(totals.moments, confidence)) for tile, totals in held]
        step = HALF * (self.rules.side_count - 1)
        gained = [(tile, _mean(totals.moments, _MARGIN_GAP, confidence, step)) for tile, totals in held]
        return [
            _best_sentence("rounds won", won, "{:+.4f} of a round"),
            _best_sentence("points", gained, "{:+.3f} points a round"),
        ]


def _best_sentence(measure: str, gaps: Sequence[tuple[Tile, Estimate]], form: str) -> str:
    """Return one sentence about the lead of the largest gap; its interval allows for all tiles."""
    told = [(tile, gap) for tile, gap in gaps if gap.estimate is not None and gap.low is not None]
    if not told:
        return f"Best lead by {measure}: too few deals to tell."
    tile, gap = max(told, key=lambda pair: pair[1].estimate or 0.0)
    is_better = gap.low is not None and gap.low > 0
    verdict = "better than" if is_better else "not distinguishable from"
    return (
        f"Best lead by {measure}: {format_tile(tile)}, {verdict} the policy's own, "
        f"{form.format(gap.estimate)} [{gap.low:+.4f}, {gap.high:+.4f}] in the {gap.n:,} deals that hold it "
        f"(an interval that allows for {len(gaps)} tiles)."
    )


def _mean(moments: Moments, column: int, confidence: float, step: int) -> Estimate:
    squares = moments.products[column][column]
    return mean(moments.count, moments.sums[column], squares, confidence, step)


def _gap(moments: Moments, confidence: float) -> Estimate:
    """Return the mean share with a tile as the lead less that of the own lead, over deals that hold it.

    Where no deal shows a difference, the interval reaches as far as Wilson's for "0 of n deals differ".
    """
    if moments.products[_GAP][_GAP] > 0:
        return _mean(moments, _GAP, confidence, SHARE)
    reach = wilson_interval(0.0, moments.count, confidence)[1]
    return Estimate(0.0, 0.0, -reach, reach, moments.count)


def openings_plan(
    rules: RuleSet | str,
    policies: str | Policy | Sequence[str | Policy],
    *,
    rounds: int,
    seed: int = DEFAULT_SEED,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Openings:
    """Return the plan of `openings` with these arguments; FivesError where one is out of range."""
    count = limits.run_size(rounds, None)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
    limits.check_confidence(confidence)
    played = as_rule_set(rules).replace(target=None)
    if played.lead == "forced" and "highest_double" in openers_of(played):
        raise FivesError("these rules force the lead, so there are none to compare: set lead to any.")
    seats = seat_policies(policies, played.sides)
    return Openings(played, seats, count, seed, first_game, confidence)


def from_settings(settings: Mapping[str, Any]) -> Openings:
    """Return the plan whose `settings()` these are; FivesError where one is out of range."""
    return openings_plan(
        rules_from(settings["rules"]),
        policies_from(settings["policies"]),
        rounds=settings["rounds"],
        seed=settings["seed"],
        first_game=settings["first_game"],
        confidence=settings["confidence"],
    )


def openings(
    rules: RuleSet | str,
    policies: str | Policy | Sequence[str | Policy],
    *,
    rounds: int,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    first_game: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    progress: Progress | None = None,
) -> Result:
    """Compare the leads: each deal is played once with every tile of the opener's hand as the lead.

    Parameters
    ----------
    rules : the rule set, or the name of one for two players; its target is not looked at.
    policies : one for all seats, one a side, or one a seat; they choose every play but the lead.
    rounds : how many deals; deal k is round 0 of game k, as in `simulate`.
    seed, threads, first_game, confidence, progress : as for `simulate`.

    Returns
    -------
    Result : its table `leads` has a row for each tile that an opener held, the best lead first.

    Raises
    ------
    FivesError
        For a number out of range or an unknown policy.
    """
    limits.check_threads(threads)
    plan = openings_plan(
        rules, policies, rounds=rounds, seed=seed, first_game=first_game, confidence=confidence
    )
    return execute(plan, threads=threads, progress=progress)
