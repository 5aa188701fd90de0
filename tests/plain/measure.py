"""The measures and tables of docs/metrics.md, counted from traces in obvious Python.

Every measure is a ratio: in each game (or single round) some amount over some units, both summed over the games.
Amounts are fractions, so nothing is rounded here but the last division.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from analyzer.notation import parse_move, parse_tile
from analyzer.referee.layout import Layout
from analyzer.rulesets import RuleSet

Trace = dict[str, Any]
Key = tuple[str, str]  # metric, scope
Pair = tuple[Fraction, int]  # amount, units
Row = dict[str, Any]

# --- what happened ------------------------------------------------------------------------------


class Event(NamedTuple):
    """A gain with positive net points that was accepted or rejected."""

    kind: str  # play, out or block
    seat: int
    before: Fraction  # raw points of its side before it
    points: Fraction
    accepted: bool


class Round:
    """One round of a trace, and the scores before it."""

    def __init__(self, rules: RuleSet, policies: Sequence[str], trace: Trace, before: list[Fraction]) -> None:
        self.rules, self.policies, self.trace, self.before = rules, policies, trace, before
        self.opener = trace["opener"]
        self.opener_side = rules.sides[self.opener]
        self.plays = [turn for turn in trace["turns"] if turn["move"] is not None]
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

    def settled(self) -> Fraction:
        """Return the points credited less debited at the end, as accepted, without a last play's own."""
        accepted = [event for event in self.trace["settlement"] if event["accepted"]]
        return sum((Fraction(event["credit"]) - Fraction(event["debit"]) for event in accepted), Fraction(0))

    def passes(self) -> int:
        """Return the turns without a placement while some hand can still play."""
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

    def share_of_policy(self, policy: str) -> Fraction:
        """Return the mean share of the sides that hold the policy."""
        sides = {self.rules.sides[seat] for seat, name in enumerate(self.policies) if name == policy}
        return sum((self.share(side) for side in sides), Fraction(0)) / len(sides)

    @property
    def events(self) -> list[Event]:
        """The events of all rounds."""
        return [event for played in self.rounds for event in played.events]

    def excess(self) -> Fraction:
        """Return the winner's points above the target."""
        return self.scores[self.winners[0]] - Fraction(self.rules.target or 0)


# --- measures -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """One metric in one scope.

    Attributes
    ----------
    of : the amount and the units of a game.
    clustered : whether the units of one game depend on each other; else each game is one trial at most.
    less : what the estimate is reduced by.
    """

    metric: str
    scope: str
    of: Callable[[Game], tuple[Fraction | int, int]]
    clustered: bool = False
    less: Fraction = Fraction(0)

    @property
    def is_rate(self) -> bool:
        """Whether amounts never exceed units."""
        return self.metric.endswith(("_rate", "_advantage"))

    def pairs(self, games: Iterable[Game]) -> list[Pair]:
        """Return amount and units of each game that has such units."""
        found = [self.of(game) for game in games]
        return [(Fraction(amount), int(units)) for amount, units in found if units]


def estimate(measure: Measure, games: Iterable[Game]) -> tuple[float | None, int]:
    """Return a measure's estimate, None where there is nothing to measure, and its n."""
    pairs = measure.pairs(games)
    n = sum(units for _, units in pairs)
    return (float(sum(amount for amount, _ in pairs) / n - measure.less) if n else None), n


def estimates(rules: RuleSet, traces: Sequence[Trace], by_games: bool) -> dict[Key, tuple[float | None, int]]:
    """Return estimate and n of each metric and scope."""
    games = finished(rules, traces)
    found = {(m.metric, m.scope): estimate(m, games) for m in measures(rules, traces[0]["policies"], by_games)}
    if by_games:
        stopped = len(traces) - len(games)
        found["guard_rate", "all"] = (stopped / len(traces), len(traces))
    return found


def finished(rules: RuleSet, traces: Iterable[Trace]) -> list[Game]:
    """Return the games that the round guard did not stop."""
    return [Game(rules, trace) for trace in traces if not trace.get("guard")]


def measures(rules: RuleSet, policies: Sequence[str], by_games: bool) -> list[Measure]:
    """Return all measures but guard_rate, which alone counts the games that were stopped."""
    different = sorted(set(policies)) if len(set(policies)) > 1 else []
    found = _round_measures(rules, different, by_games)
    if not by_games:
        return found
    found += _game_measures(rules, different)
    return found + (_overshoots(different) if rules.target_kind == "exact" else _excess())


def _over_rounds(of: Callable[[Round], tuple[Fraction | int, int]]) -> Callable[[Game], Pair]:
    def in_game(game: Game) -> Pair:
        pairs = [of(played) for played in game.rounds]
        return sum((Fraction(amount) for amount, _ in pairs), Fraction(0)), sum(units for _, units in pairs)

    return in_game


def _round_measures(rules: RuleSet, policies: Iterable[str], by_games: bool) -> list[Measure]:
    def a_round(metric: str, of: Callable[[Round], tuple[Fraction | int, int]], **more: Any) -> Measure:
        scope = more.pop("scope", "all")
        return Measure(metric, scope, _over_rounds(of), **{"clustered": by_games, **more})

    def opener_share(r: Round) -> tuple[Fraction, int]:
        return (r.share(r.opener_side), 1) if r.is_decided else (Fraction(0), 0)

    found = [
        a_round("blocked_rate", lambda r: (r.is_blocked, r.is_decided)),
        a_round("blocked_tie_rate", lambda r: (r.is_blocked and r.is_tied, r.is_blocked)),
        a_round("opener_win_rate", opener_share),
        a_round("opener_advantage", opener_share, less=Fraction(1, rules.side_count)),
        a_round("opener_margin", lambda r: (r.margin(r.opener_side), 1)),
        a_round("plays_per_round", lambda r: (len(r.plays), 1)),
        a_round("draws_per_round", lambda r: (sum(len(turn["drawn"]) for turn in r.trace["turns"]), 1)),
        a_round("passes_per_round", lambda r: (r.passes(), 1)),
        a_round("points_per_round", lambda r: (_points(r.plays), 1)),
        a_round("scoring_play_rate", _scoring_plays, clustered=True),
        a_round("points_per_play", lambda r: (_points(r.plays), len(r.plays)), clustered=True),
        a_round("settlement_per_round", lambda r: (r.settled(), 1)),
    ]
    for name in policies:
        found.append(a_round("blocked_rate", _blocked_when_opened_by(name), scope=f"policy={name}"))
        found.append(a_round("points_per_play", _points_of(name), scope=f"policy={name}", clustered=True))
    return found


def _points(plays: Iterable[Row]) -> Fraction:
    return sum((Fraction(play["points"]) for play in plays), Fraction(0))


def _scoring_plays(r: Round) -> tuple[int, int]:
    return sum(play["points"] > 0 for play in r.plays), len(r.plays)


def _blocked_when_opened_by(policy: str) -> Callable[[Round], tuple[int, int]]:
    def of(r: Round) -> tuple[int, int]:
        opened = r.policies[r.opener] == policy
        return opened and r.is_blocked, opened and r.is_decided

    return of


def _points_of(policy: str) -> Callable[[Round], tuple[Fraction, int]]:
    return lambda r: (_points(r.plays_of(policy)), len(r.plays_of(policy)))


def _game_measures(rules: RuleSet, policies: Iterable[str]) -> list[Measure]:
    def wins(side: int) -> Measure:
        return Measure("win_rate", f"side={side}", lambda g: (g.share(side), 1))

    def wins_of(policy: str) -> Measure:
        return Measure("win_rate", f"policy={policy}", lambda g: (g.share_of_policy(policy), 1))

    def first_mover(g: Game) -> tuple[Fraction, int]:
        return g.share(g.rounds[0].opener_side), 1

    def cut(g: Game) -> tuple[int, int]:
        return sum(not r.is_decided for r in g.rounds), len(g.rounds)

    return [
        *(wins(side) for side in range(rules.side_count)),
        *(wins_of(name) for name in policies),
        Measure("first_mover_win_rate", "all", first_mover),
        Measure("first_mover_advantage", "all", first_mover, less=Fraction(1, rules.side_count)),
        Measure("rounds_per_game", "all", lambda g: (len(g.rounds), 1)),
        Measure("plays_per_game", "all", lambda g: (sum(len(r.plays) for r in g.rounds), 1)),
        Measure("target_cut_rate", "all", cut, clustered=True),
        Measure("drawn_rate", "all", lambda g: (len(g.winners) > 1, 1)),
    ]


def _overshoots(policies: Iterable[str]) -> list[Measure]:
    found = []
    for kind in (None, "play", "out", "block"):
        scope = f"kind={kind}" if kind else "all"
        found.append(Measure("overshoot_rate", scope, _rejections(kind=kind), clustered=True))
        found.append(Measure("overshoots_per_game", scope, _rejections_a_game(kind)))
    for name in policies:
        found.append(Measure("overshoot_rate", f"policy={name}", _rejections(policy=name), clustered=True))
    return [
        *found,
        Measure("overshoot_game_rate", "all", lambda g: (bool(_rejected(g.events)), 1)),
        Measure("points_rejected_per_game", "all", lambda g: (sum(e.points for e in _rejected(g.events)), 1)),
        Measure("rounds_after_first_overshoot", "all", _rounds_after_first),
    ]


def _rejected(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if not event.accepted]


def _rejections(kind: str | None = None, policy: str | None = None) -> Callable[[Game], tuple[int, int]]:
    def of(g: Game) -> tuple[int, int]:
        events = [e for e in g.events if kind in (None, e.kind) and policy in (None, g.policies[e.seat])]
        return len(_rejected(events)), len(events)

    return of


def _rejections_a_game(kind: str | None) -> Callable[[Game], tuple[int, int]]:
    return lambda g: (_rejections(kind=kind)(g)[0], 1)


def _rounds_after_first(g: Game) -> tuple[int, int]:
    with_one = [number for number, r in enumerate(g.rounds, start=1) if _rejected(r.events)]
    return (len(g.rounds) - with_one[0], 1) if with_one else (0, 0)


def _excess() -> list[Measure]:
    def only(g: Game) -> int:
        return len(g.winners) == 1

    return [
        Measure("excess_rate", "all", lambda g: (only(g) and g.excess() > 0, only(g))),
        Measure("excess_points", "all", lambda g: (g.excess(), only(g))),
    ]


# --- tables -------------------------------------------------------------------------------------


def tables(rules: RuleSet, traces: Sequence[Trace], by_games: bool) -> dict[str, list[Row]]:
    """Return the rows of each table, without the bounds of their rates."""
    games = finished(rules, traces)
    rounds = [played for game in games for played in game.rounds]
    found = {
        "openings": _openings(rounds),
        "seats": _seats(rules, rounds),
        "counts": _counts(rounds),
        "ends": _ends(rounds),
    }
    if by_games and rules.target_kind == "exact":
        found["needs"] = _needs(rules, [event for game in games for event in game.events])
    return found


def _mean(values: Iterable[Fraction]) -> float | None:
    listed = list(values)
    return float(sum(listed, Fraction(0)) / len(listed)) if listed else None


def _openings(rounds: Sequence[Round]) -> list[Row]:
    rows = []
    for tile in sorted({r.plays[0]["move"] for r in rounds}, key=lambda tile: (int(tile[0]), int(tile[2]))):
        led = [r for r in rounds if r.plays[0]["move"] == tile]
        row = {
            "tile": tile,
            "n": sum(r.is_decided for r in led),
            "opener_win_rate": _mean(r.share(r.opener_side) for r in led if r.is_decided),
            "opener_margin": _mean(r.margin(r.opener_side) for r in led),
            "count": led[0].plays[0]["count"],
        }
        rows.append(row)
    return rows


def _seats(rules: RuleSet, rounds: Sequence[Round]) -> list[Row]:
    def side(r: Round, offset: int) -> int:
        return rules.sides[(r.opener + offset) % rules.players]

    return [
        {
            "offset": offset,
            "n": sum(r.is_decided for r in rounds),
            "round_win_rate": _mean(r.share(side(r, offset)) for r in rounds if r.is_decided),
            "margin": _mean(r.margin(side(r, offset)) for r in rounds),
        }
        for offset in range(rules.players)
    ]


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


def _needs(rules: RuleSet, events: Sequence[Event]) -> list[Row]:
    target = Fraction(rules.target or 0)
    rows = []
    for need in sorted({target - event.before for event in events}):
        met = [event for event in events if target - event.before == need]
        accepted = [event for event in met if event.accepted]
        rejected = len(met) - len(accepted)
        row = {
            "need": need / 5,
            "events": len(met),
            "accepted": len(accepted),
            "rejected": rejected,
            "rejected_share": rejected / len(met),
            "wins": sum(event.points == need for event in accepted),
        }
        rows.append(row)
    return rows
