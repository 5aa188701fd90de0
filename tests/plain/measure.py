"""The measures and tables of docs/metrics.md, counted from traces in obvious Python.

Every measure is a ratio: in each game (or single round) some amount over some units, both summed over the
games. Amounts are fractions, so nothing is rounded here before the result.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from analyzer.notation import parse_move, parse_tile
from analyzer.referee.layout import Layout
from analyzer.rulesets import RuleSet

Trace = dict[str, Any]
Key = tuple[str, str]  # metric, scope
Amount = tuple[Any, int]  # an amount, whole, in halves or a fraction, and the units that it is measured over
Pair = tuple[Fraction, int]  # the same of one game
Row = dict[str, Any]

LAST_NEED = 1023  # shown points; the row of the table `needs` that stands for more, too
LAST_LENGTH = 255  # rounds; as the same, of the tables `lengths` and `after`
LAST_EXCESS = Fraction(511, 2)  # raw points; as the same, of the table `excess`

# --- what happened ------------------------------------------------------------------------------


class Event(NamedTuple):
    """A gain with positive net points that was accepted or rejected."""

    kind: str  # play, out or block
    seat: int
    before: Fraction  # raw points of its side before it
    points: Fraction
    accepted: bool

    def needed(self, rules: RuleSet) -> Fraction:
        """Return the raw points that its side still needed for the target."""
        return Fraction(rules.target or 0) - self.before


class Round:
    """One round of a trace, and the scores before it."""

    def __init__(self, rules: RuleSet, policies: Sequence[str], trace: Trace, before: list[Fraction]) -> None:
        self.rules, self.policies, self.trace, self.before = rules, policies, trace, before
        self.opener: int = trace["opener"]
        self.opener_side = rules.sides[self.opener]
        self.plays = [turn for turn in trace["turns"] if turn["move"] is not None]
        self.lead = self.plays[0]["move"]
        self.is_blocked = trace["end"] == "blocked"
        self.is_decided = trace["end"] in ("out", "blocked")
        self.is_tied = trace["winner"] is None
        last = (trace["settlement"] or trace["turns"])[-1]
        self.after = [Fraction(score) for score in last["scores"]]
        self.events = list(self._events())

    def _events(self) -> Iterable[Event]:
        scores = self.before
        for turn in self.trace["turns"]:
            if turn["accepted"] is not None:
                yield self._event("play", turn, scores, turn["points"])
            scores = turn["scores"]
        kind = "out" if self.trace["end"] == "out" else "block"
        for credited in self.trace["settlement"]:
            if credited["net"] > 0:
                yield self._event(kind, credited, scores, credited["net"])
            scores = credited["scores"]

    def _event(self, kind: str, record: Row, scores: Sequence[Any], points: float) -> Event:
        before = scores[self.rules.sides[record["seat"]]]
        return Event(kind, record["seat"], Fraction(before), Fraction(points), record["accepted"])

    def side_at(self, offset: int) -> int:
        """Return the side of the seat that sits so many seats after the opener."""
        return self.rules.sides[(self.opener + offset) % self.rules.players]

    def share(self, side: int) -> Fraction:
        """Return the part of the round's win that is a side's: 1/k where k sides tie for least."""
        winners = self._lightest_sides() if self.is_tied else {self.trace["winner"]}
        return Fraction(side in winners, len(winners))

    def _lightest_sides(self) -> set[int]:
        by_hand = self.rules.settlement_block == "hand_differences"
        pips: Counter[int] = Counter()
        for seat, left in enumerate(self.trace["pips"]):
            pips[seat if by_hand else self.rules.sides[seat]] += left
        lightest = [holder for holder, left in pips.items() if left == min(pips.values())]
        return {self.rules.sides[holder] if by_hand else holder for holder in lightest}

    def margin(self, side: int) -> Fraction:
        """Return the points that a side gained in the round less the mean of the other sides'."""
        gains = [after - before for before, after in zip(self.before, self.after, strict=True)]
        own = gains.pop(side)
        return own - sum(gains) / Fraction(len(gains))

    def settled(self) -> float:
        """Return the points credited less debited at the end, as accepted, without a last play's own."""
        accepted = [event for event in self.trace["settlement"] if event["accepted"]]
        return float(sum(event["credit"] - event["debit"] for event in accepted))

    @cached_property
    def passes(self) -> int:
        """The turns without a placement while some hand can still play."""
        hands = [list(map(parse_tile, hand)) for hand in self.trace["hands"]]
        layout = Layout(self.rules.spinner)
        passes = 0
        for turn in self.trace["turns"]:
            hands[turn["seat"]] += map(parse_tile, turn["drawn"])
            if turn["move"] is None:
                passes += any(layout.can_place(hand) for hand in hands)
            else:
                move = parse_move(turn["move"])
                layout.place(move)
                hands[turn["seat"]].remove(move.tile)
        return passes

    def plays_of(self, policy: str | None) -> list[Row]:
        """Return the plays of the seats that a policy holds; None: all plays."""
        return [play for play in self.plays if policy in (None, self.policies[play["seat"]])]


class Game:
    """One trace: a game, or a single round."""

    def __init__(self, rules: RuleSet, trace: Trace) -> None:
        self.rules, self.policies = rules, trace["policies"]
        self.rounds: list[Round] = []
        scores = [Fraction(0)] * rules.side_count
        for played in trace["rounds"]:
            self.rounds.append(Round(rules, self.policies, played, scores))
            scores = self.rounds[-1].after
        self.scores = scores
        best = [side for side, score in enumerate(scores) if score == max(scores)]
        self.winners = best if trace["winner"] is None else [trace["winner"]]

    def share(self, side: int) -> Fraction:
        """Return the part of the win that is a side's: 1/k of a drawn game of k sides."""
        return Fraction(side in self.winners, len(self.winners))

    @cached_property
    def events(self) -> list[Event]:
        """The events of all rounds."""
        return [event for played in self.rounds for event in played.events]

    def excess(self) -> Fraction:
        """Return the winner's points above the target."""
        return self.scores[self.winners[0]] - Fraction(self.rules.target or 0)


class Run:
    """Traces of games, or of single rounds, that were played under one rule set by the same policies."""

    def __init__(self, rules: RuleSet, traces: Sequence[Trace], by_games: bool) -> None:
        self.rules, self.by_games = rules, by_games
        self.policies: list[str] = traces[0]["policies"]
        self.different_policies = sorted(set(self.policies)) if len(set(self.policies)) > 1 else []
        self.stopped = [bool(trace.get("guard")) for trace in traces]
        self.games = [Game(rules, trace) for trace in traces if not trace.get("guard")]
        self.rounds = [played for game in self.games for played in game.rounds]


# --- measures -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """One metric in one scope.

    Attributes
    ----------
    of : the amount and the units of a game.
    clustered : whether units of one game depend on each other; else a game is one independent trial at most.
    over : what the ratio is divided by.
    less : what the estimate is then reduced by.
    """

    metric: str
    scope: str
    of: Callable[[Game], Amount]
    clustered: bool = False
    over: int = 1
    less: Fraction = Fraction(0)

    @property
    def is_rate(self) -> bool:
        """Whether amounts never exceed units."""
        return self.metric.endswith(("_rate", "_advantage"))

    def pairs(self, games: Iterable[Game]) -> list[Pair]:
        """Return amount and units of each game that has such units."""
        found = [self.of(game) for game in games]
        return [(Fraction(amount), int(units)) for amount, units in found if units]


def estimates(run: Run) -> dict[Key, tuple[float | None, int]]:
    """Return estimate and n of each metric and scope."""
    found = {(m.metric, m.scope): estimate(m, run.games) for m in measures(run)}
    if run.by_games:
        found["guard_rate", "all"] = (sum(run.stopped) / len(run.stopped), len(run.stopped))
    return found


def estimate(measure: Measure, games: Iterable[Game]) -> tuple[float | None, int]:
    """Return a measure's estimate, None where there is nothing to measure, and its n."""
    pairs = measure.pairs(games)
    n = sum(units for _, units in pairs)
    if not n:
        return None, 0
    ratio = sum(amount for amount, _ in pairs) / n
    return float(ratio / measure.over - measure.less), n


def measures(run: Run) -> list[Measure]:
    """Return all measures but guard_rate, which alone counts the games that were stopped."""
    found = _round_measures(run) + _policy_measures(run)
    if not run.by_games:
        return found
    found += _game_measures(run)
    return found + (_overshoots(run) if run.rules.target_kind == "exact" else _excess())


def _over_rounds(of: Callable[[Round], Amount]) -> Callable[[Game], Amount]:
    def in_game(game: Game) -> Amount:
        pairs = [of(played) for played in game.rounds]
        return sum(amount for amount, _ in pairs), sum(units for _, units in pairs)

    return in_game


def _round_measures(run: Run) -> list[Measure]:
    def a_round(metric: str, of: Callable[[Round], Amount], **more: Any) -> Measure:
        return Measure(metric, "all", _over_rounds(of), **{"clustered": run.by_games, **more})

    return [
        a_round("blocked_rate", lambda r: (r.is_blocked, r.is_decided)),
        a_round("blocked_tie_rate", lambda r: (r.is_blocked and r.is_tied, r.is_blocked)),
        a_round("opener_win_rate", _opener_share()),
        a_round("opener_advantage", _opener_share(), less=Fraction(1, run.rules.side_count)),
        a_round("opener_margin", lambda r: (r.margin(r.opener_side), 1)),
        a_round("plays_per_round", lambda r: (len(r.plays), 1)),
        a_round("draws_per_round", lambda r: (sum(len(turn["drawn"]) for turn in r.trace["turns"]), 1)),
        a_round("passes_per_round", lambda r: (r.passes, 1)),
        a_round("points_per_round", lambda r: (_points(r.plays), 1)),
        a_round("scoring_play_rate", _scoring_plays, clustered=True),
        a_round("points_per_play", lambda r: (_points(r.plays), len(r.plays)), clustered=True),
        a_round("settlement_per_round", lambda r: (r.settled(), 1)),
    ]


def _policy_measures(run: Run) -> list[Measure]:
    found = []
    for name in run.different_policies:
        blocked, points = _over_rounds(_blocked_when_opened_by(name)), _over_rounds(_points_of(name))
        found.append(Measure("blocked_rate", f"policy={name}", blocked, clustered=run.by_games))
        found.append(Measure("points_per_play", f"policy={name}", points, clustered=True))
    return found


def _opener_share(tile: str | None = None) -> Callable[[Round], Amount]:
    """Return the share of the opener's side in decided rounds; with a tile, in those led with it."""

    def of(r: Round) -> Amount:
        counts = r.is_decided and tile in (None, r.lead)
        return (r.share(r.opener_side), 1) if counts else (0, 0)

    return of


def _points(plays: Iterable[Row]) -> float:
    return float(sum(play["points"] for play in plays))


def _scoring_plays(r: Round) -> Amount:
    return sum(play["points"] > 0 for play in r.plays), len(r.plays)


def _blocked_when_opened_by(policy: str) -> Callable[[Round], Amount]:
    def of(r: Round) -> Amount:
        opened = r.policies[r.opener] == policy
        return opened and r.is_blocked, opened and r.is_decided

    return of


def _points_of(policy: str) -> Callable[[Round], Amount]:
    return lambda r: (_points(r.plays_of(policy)), len(r.plays_of(policy)))


def _wins_of(run: Run, policy: str) -> Measure:
    """Return the mean over the sides that hold the policy; whether one of them wins is what varies."""
    sides = sorted({side for side, name in zip(run.rules.sides, run.policies, strict=True) if name == policy})

    def share(g: Game) -> Amount:
        return sum(g.share(side) for side in sides), 1

    return Measure("win_rate", f"policy={policy}", share, over=len(sides))


def _game_measures(run: Run) -> list[Measure]:
    def wins(side: int) -> Measure:
        return Measure("win_rate", f"side={side}", lambda g: (g.share(side), 1))

    def first_mover(g: Game) -> Amount:
        return g.share(g.rounds[0].opener_side), 1

    def cut(g: Game) -> Amount:
        return sum(not r.is_decided for r in g.rounds), len(g.rounds)

    sides = run.rules.side_count
    return [
        *(wins(side) for side in range(sides)),
        *(_wins_of(run, name) for name in run.different_policies),
        Measure("first_mover_win_rate", "all", first_mover),
        Measure("first_mover_advantage", "all", first_mover, less=Fraction(1, sides)),
        Measure("rounds_per_game", "all", lambda g: (len(g.rounds), 1)),
        Measure("plays_per_game", "all", lambda g: (sum(len(r.plays) for r in g.rounds), 1)),
        Measure("target_cut_rate", "all", cut, clustered=True),
        Measure("drawn_rate", "all", lambda g: (len(g.winners) > 1, 1)),
    ]


def _overshoots(run: Run) -> list[Measure]:
    found = []
    for kind in (None, "play", "out", "block"):
        scope = f"kind={kind}" if kind else "all"
        found.append(Measure("overshoot_rate", scope, _rejections(kind=kind), clustered=True))
        found.append(Measure("overshoots_per_game", scope, _rejections_a_game(kind)))
    for name in run.different_policies:
        found.append(Measure("overshoot_rate", f"policy={name}", _rejections(policy=name), clustered=True))
    return [
        *found,
        Measure("overshoot_game_rate", "all", lambda g: (bool(_rejected(g.events)), 1)),
        Measure("points_rejected_per_game", "all", lambda g: (sum(e.points for e in _rejected(g.events)), 1)),
        Measure("rounds_after_first_overshoot", "all", _rounds_after_first),
    ]


def _rejected(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if not event.accepted]


def _rejections(kind: str | None = None, policy: str | None = None) -> Callable[[Game], Amount]:
    def of(g: Game) -> Amount:
        events = [e for e in g.events if kind in (None, e.kind) and policy in (None, g.policies[e.seat])]
        return len(_rejected(events)), len(events)

    return of


def _rejections_a_game(kind: str | None) -> Callable[[Game], Amount]:
    return lambda g: (_rejections(kind=kind)(g)[0], 1)


def _rounds_after_first(g: Game) -> Amount:
    with_one = [number for number, r in enumerate(g.rounds, start=1) if _rejected(r.events)]
    return (len(g.rounds) - with_one[0], 1) if with_one else (0, 0)


def _has_one_winner(g: Game) -> bool:
    return len(g.winners) == 1


def _excess() -> list[Measure]:
    return [
        Measure("excess_rate", "all", lambda g: (_has_one_winner(g) and g.excess() > 0, _has_one_winner(g))),
        Measure("excess_points", "all", lambda g: (g.excess(), _has_one_winner(g))),
    ]


# --- tables -------------------------------------------------------------------------------------


def tables(run: Run) -> dict[str, list[Row]]:
    """Return the rows of each table, without the bounds of their rates: see `opening_rate`, `seat_rate`."""
    found = {
        "openings": _openings(run),
        "seats": _seats(run),
        "counts": _counts(run.rounds),
        "ends": _ends(run.rounds),
    }
    if not run.by_games:
        return found
    found["lengths"] = _games_by("rounds", [min(len(game.rounds), LAST_LENGTH) for game in run.games])
    if run.rules.target_kind == "exact":
        found["needs"] = _needs(run.rules, [event for r in run.rounds for event in r.events])
        after = [rounds for rounds, counts in map(_rounds_after_first, run.games) if counts]
        found["after"] = _games_by("rounds_after", [min(rounds, LAST_LENGTH) for rounds in after])
    else:
        excess = [game.excess() for game in run.games if _has_one_winner(game)]
        found["excess"] = _games_by("points", [float(min(points, LAST_EXCESS)) for points in excess])
    return found


def opening_rate(run: Run, tile: str) -> Measure:
    """Return the opener's wins in the rounds led with a tile."""
    return Measure("opener_win_rate", tile, _over_rounds(_opener_share(tile)), clustered=run.by_games)


def seat_rate(run: Run, offset: int) -> Measure:
    """Return the wins of the side of the seat that sits so many seats after the opener."""

    def share(r: Round) -> Amount:
        return (r.share(r.side_at(offset)), 1) if r.is_decided else (0, 0)

    return Measure("round_win_rate", f"offset={offset}", _over_rounds(share), clustered=run.by_games)


def _mean(values: Iterable[Fraction]) -> float | None:
    listed = list(values)
    return float(sum(listed, Fraction(0)) / len(listed)) if listed else None


def _openings(run: Run) -> list[Row]:
    rows = []
    for tile in sorted({r.lead for r in run.rounds}, key=lambda tile: parse_tile(tile).number):
        led = [r for r in run.rounds if r.lead == tile]
        rate, n = estimate(opening_rate(run, tile), run.games)
        margin = _mean(r.margin(r.opener_side) for r in led)
        count = led[0].plays[0]["count"]
        rows.append({"tile": tile, "n": n, "opener_win_rate": rate, "opener_margin": margin, "count": count})
    return rows


def _seats(run: Run) -> list[Row]:
    rows = []
    for offset in range(run.rules.players):
        rate, n = estimate(seat_rate(run, offset), run.games)
        margin = _mean(r.margin(r.side_at(offset)) for r in run.rounds)
        rows.append({"offset": offset, "n": n, "round_win_rate": rate, "margin": margin})
    return rows


def _counts(rounds: Sequence[Round]) -> list[Row]:
    counted = Counter(play["count"] for r in rounds for play in r.plays)
    return [
        {"count": count, "plays": plays, "share": plays / counted.total()}
        for count, plays in sorted(counted.items())
    ]


def _ends(rounds: Sequence[Round]) -> list[Row]:
    ended = Counter(r.trace["end"] for r in rounds)
    return [
        {"end": end, "rounds": ended[end], "share": ended[end] / len(rounds) if rounds else None}
        for end in ("out", "blocked", "target")
    ]


def _games_by(what: str, numbers: Sequence[float]) -> list[Row]:
    return [
        {what: number, "games": games, "share": games / len(numbers)}
        for number, games in sorted(Counter(numbers).items())
    ]


def _needs(rules: RuleSet, events: Sequence[Event]) -> list[Row]:
    by_need: dict[int, list[Event]] = {}
    for event in events:
        shown = math.ceil(event.needed(rules) / (1 if rules.points == "divided" else 5))
        by_need.setdefault(min(shown, LAST_NEED), []).append(event)
    rows = []
    for need, met in sorted(by_need.items()):
        accepted = [event for event in met if event.accepted]
        rejected = len(met) - len(accepted)
        row = {
            "need": need,
            "events": len(met),
            "accepted": len(accepted),
            "rejected": rejected,
            "rejected_share": rejected / len(met),
            "wins": sum(event.points == event.needed(rules) for event in accepted),
        }
        rows.append(row)
    return rows
