"""What chance brought in a recorded game, and what the plays did: how each side's prospects changed.

A moment is valued with all hands known: the base policy plays it on, in all seats, with the boneyard in
random orders (`kernels.known`). The value after a chance event less the value before it is its luck, as
backgammon programs count it: GNU Backgammon's manual, *Luck analysis*, takes the equity after a roll less the
mean over all rolls. What lies between is what the plays did, against those of the base policy. All changes
of a game add up to its result, since each begins where the one before it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.notation import Tile, format_tile
from analyzer.policies import Policy, searching
from analyzer.records import rules_record
from analyzer.referee.events import game_state
from analyzer.referee.reading import RoundRecord, Trace
from analyzer.rulesets import RuleSet
from analyzer.search import PASS, mask_of, number_of
from analyzer.searching import search_state
from analyzer.showing import scores_before
from analyzer.workers import apart
from kernels.history import retrace
from kernels.known import Moment, play_known
from kernels.rng import child, game_key
from kernels.rules import HALF
from kernels.standing import WHOLE
from kernels.state import TABLE, blank
from kernels.tallies import MAX_SEATS

MOMENTS = 7  # the purpose of their stream (docs/randomness.md)
DEALS = 4  # so many times the worlds before a deal, since more is open there

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Prospect:
    """What a moment is worth to each side, in games or raw points, and the standard errors."""

    value: Floats
    error: Floats


@dataclass(frozen=True, eq=False)
class Change:
    """How the prospects of all sides changed from one moment to the next.

    Attributes
    ----------
    kind : "opener" (a lot named it), "deal" (which may name it too), "draw" or "play".
    turn, seat : None for what is no seat's.
    tiles : drawn.
    """

    kind: str
    round: int
    turn: int | None
    seat: int | None
    tiles: tuple[Tile, ...]
    before: Prospect
    after: Prospect

    @property
    def gain(self) -> Floats:
        """By side."""
        return self.after.value - self.before.value

    @property
    def tiles_told(self) -> str | None:
        """The tiles drawn as text."""
        return " ".join(map(format_tile, self.tiles)) or None


class Valuer:
    """Values the moments of one game.

    Parameters
    ----------
    trace : the game.
    base : the policy that plays on in all seats.
    worlds : boneyards a moment.
    """

    def __init__(self, trace: Trace, base: Policy, worlds: int, seed: int) -> None:
        self.trace, self.rules, self.worlds = trace, trace.rules, worlds
        self.record = rules_record(self.rules)
        state = search_state([searching(base, 1)] * self.rules.players, self.rules, blank(TABLE))
        assert state is not None
        self.state = state
        self.key = game_key(seed, trace.game)

    def value(self, moment: Moment, turns: _Turns, number: int, worlds: int) -> Prospect:
        """Return what a moment is worth; `number` is its own in the round."""
        layout = retrace(self.state.history, self.record, *turns.before)[0]
        if turns.seen is not turns.before:  # what the draws of this turn have shown
            retrace(self.state.history, self.record, *turns.seen)
        key = self.key
        for each in (moment.game_round, MOMENTS, number):
            key = child(np.uint64(key), each)
        values = np.zeros((worlds, self.rules.side_count), np.int64)
        play = partial(play_known, self.state, self.record, moment, layout, np.uint64(key), worlds, values)
        apart(play)
        scaled = values * float(self.unit)
        return Prospect(scaled.mean(axis=0), scaled.std(axis=0) / np.sqrt(worlds))

    @property
    def unit(self) -> float:
        """What one of the whole numbers is worth, of a game or of raw points."""
        return 1 / WHOLE if self.rules.target is not None else 1 / (HALF * (self.rules.side_count - 1))

    def opened(self, round_: int, opener: int) -> Prospect:
        """Return what a round is worth before its deal, opened by a seat unless the deal names the opener."""
        scores = scores_before(self.trace, round_)
        everything = (1 << self.rules.tiles) - 1
        moment = Moment(
            seat=opener,
            boneyard=everything,
            drawn=0,
            played=0,
            plays=0,
            last=opener,
            opener=opener,
            by_highest=int(self.trace.rounds[round_].opener_by == "highest_double"),
            game_round=round_,
            hands=_padded([]),
            scores=_padded(_halves(scores)),
        )
        nothing = np.zeros(0, np.int64)
        turns = _Turns((nothing,) * 3, (nothing,) * 3)
        return self.value(moment, turns, opener, DEALS * self.worlds)


@dataclass(frozen=True, eq=False)
class _Turns:
    """Turns as `retrace` takes them: those before a moment, and those of which all have seen the draws."""

    before: tuple[Any, ...]
    seen: tuple[Any, ...]


def _padded(numbers: Sequence[int]) -> Any:
    filled = np.zeros(MAX_SEATS, np.int64)
    filled[: len(numbers)] = numbers
    return filled


def _halves(scores: Sequence[Any]) -> list[int]:
    return [int(HALF * score) for score in scores]


def changes(
    valuer: Valuer, rounds: Sequence[int], tick: Callable[[], None] = lambda: None
) -> Iterator[Change]:
    """Yield the changes of consecutive rounds of a game, in their order.

    Parameters
    ----------
    tick : called after each turn.
    """
    start, opened = _awaited(valuer, rounds[0])
    for round_ in rounds:
        yield from _opening(valuer.trace, round_, start, opened)
        following = _result(valuer, round_)
        if following is None:
            following, opened_next = _awaited(valuer, round_ + 1)
        else:
            opened_next = opened
        yield from _Walk(valuer, round_, opened, following).changes(tick)
        start, opened = following, opened_next


def _opening(trace: Trace, round_: int, start: Prospect, opened: Prospect) -> Iterator[Change]:
    """Yield what the lot of the opener brought, where there was one."""
    if opened is not start:
        yield Change("opener", round_, None, None, (), start, opened)


def _awaited(valuer: Valuer, round_: int) -> tuple[Prospect, Prospect]:
    """Return what a round is worth before its opener is known, and after; one where no lot is drawn."""
    record = valuer.trace.rounds[round_]
    if record.opener_by != "lot":
        known = valuer.opened(round_, record.opener)
        return known, known
    each = [valuer.opened(round_, seat) for seat in range(valuer.rules.players)]
    value = np.mean([one.value for one in each], axis=0)
    error = np.sqrt(np.sum([one.error**2 for one in each], axis=0)) / len(each)
    return Prospect(value, error), each[record.opener]


def _result(valuer: Valuer, round_: int) -> Prospect | None:
    """Return what the game came to, where it ended with this round; else None."""
    trace, rules = valuer.trace, valuer.rules
    if round_ + 1 < len(trace.rounds):
        return None
    scores = [float(score) for score in trace.scores]
    if rules.target is None:
        began = [float(score) for score in scores_before(trace, round_)]
        gained = [score - start for score, start in zip(scores, began, strict=True)]
        value = np.array([score - (sum(gained) - score) / (len(gained) - 1) for score in gained])
    else:
        value = np.array(_shares(rules, trace))
    return Prospect(value, np.zeros(len(value)))


def _shares(rules: RuleSet, trace: Trace) -> list[float]:
    """Return each side's share of the game: a game that is drawn, or stopped, is shared."""
    if trace.winner is not None:
        return [float(side == trace.winner) for side in range(rules.side_count)]
    if not game_state(rules, trace.scores).is_over:
        return [1 / rules.side_count] * rules.side_count
    best = max(trace.scores)
    sharing = [score == best for score in trace.scores]
    return [share / sum(sharing) for share in sharing]


class _Walk:
    """Walks through one round from its deal to its end."""

    def __init__(self, valuer: Valuer, round_: int, opened: Prospect, following: Prospect) -> None:
        self.valuer, self.rules, self.round = valuer, valuer.rules, round_
        self.record: RoundRecord = valuer.trace.rounds[round_]
        self.now, self.following = opened, following
        self.hands = [list(hand) for hand in self.record.hands]
        self.boneyard = list(self.record.boneyard)
        self.scores = scores_before(valuer.trace, round_)
        self.last = self.record.opener
        self.placed: list[int] = []
        self.number = self.rules.players  # the first are those before the deal

    def changes(self, tick: Callable[[], None]) -> Iterator[Change]:
        """Yield the deal, and each draw and play."""
        yield self._changed("deal", None, None, (), self._moment(self.record.opener, 0, 0))
        for turn, record in enumerate(self.record.turns):
            yield from self._turn(turn)
            self.scores = record.scores
            tick()

    def _turn(self, turn: int) -> Iterator[Change]:
        record = self.record.turns[turn]
        seat, hand = record.seat, self.hands[record.seat]
        next_seat = (seat + 1) % self.rules.players
        is_last = turn == len(self.record.turns) - 1
        if record.drawn:
            hand += record.drawn
            del self.boneyard[: len(record.drawn)]
            ends = is_last and record.move is None
            mover = seat if record.move is not None else next_seat
            after = self.following if ends else self._moment(mover, turn, turn + 1)
            yield self._changed("draw", turn, seat, record.drawn, after)
        if record.move is not None:
            had_choice = self._choices(turn, hand) > 1
            hand.remove(record.move.tile)
            self.placed.append(record.move.tile.number)
            self.last, self.scores = seat, record.scores
            if is_last or had_choice:  # else the base policy had to do the same, and nothing has changed
                after = self.following if is_last else self._moment(next_seat, turn + 1, turn + 1)
                yield self._changed("play", turn, seat, (), after)

    def _choices(self, turn: int, hand: Sequence[Tile]) -> int:
        from analyzer.referee.layout import Layout

        if turn == 0 and self.rules.lead == "forced" and self.record.opener_by == "highest_double":
            return 1
        layout = Layout(self.rules.spinner)
        for record in self.record.turns[:turn]:
            if record.move is not None:
                layout.place(record.move)
        return len(layout.placements(hand))

    def _changed(
        self, kind: str, turn: int | None, seat: int | None, tiles: tuple[Tile, ...], after: Prospect
    ) -> Change:
        change = Change(kind, self.round, turn, seat, tiles, self.now, after)
        self.now = after
        return change

    def _moment(self, seat: int, turns: int, seen: int) -> Prospect:
        """Return what the round is worth now: before the turn of a seat, after so many turns."""
        self.number += 1
        moment = Moment(
            seat=seat,
            boneyard=mask_of(self.boneyard),
            drawn=self.rules.tiles - len(self.boneyard),
            played=sum(1 << tile for tile in self.placed),
            plays=len(self.placed),
            last=self.last,
            opener=self.record.opener,
            by_highest=int(self.record.opener_by == "highest_double"),
            game_round=self.round,
            hands=_padded([mask_of(hand) for hand in self.hands]),
            scores=_padded(_halves(self.scores)),
        )
        before = self._arrays(turns)
        shown = before if seen == turns else self._arrays(seen)
        return self.valuer.value(moment, _Turns(before, shown), self.number, self.valuer.worlds)

    def _arrays(self, turns: int) -> tuple[Any, ...]:
        records = self.record.turns[:turns]
        placed = [PASS if record.move is None else number_of(record.move) for record in records]
        columns = [record.seat for record in records], [len(record.drawn) for record in records], placed
        return tuple(np.array(column, np.int64) for column in columns)
