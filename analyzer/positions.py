"""A position: what one seat knows when it is to play, checked for contradictions.

A seat knows its own hand, the scores, and what all see: who opened, what was placed, who drew how many tiles
and who passed. It does not know what others hold, but that a seat which drew or passed had no tile of the
values then open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from analyzer.errors import FivesError
from analyzer.notation import Move, Tile, tile_set
from analyzer.referee.events import Scores, no_scores
from analyzer.referee.layout import Layout
from analyzer.referee.reading import RoundRecord
from analyzer.referee.table import opening_rank
from analyzer.rulesets import RuleSet
from analyzer.scores import check_standing, score_step
from analyzer.seen import Seen, seat_of
from analyzer.turnlist import Turn


@dataclass(frozen=True)
class Position:
    """What the seat to play knows.

    Attributes
    ----------
    rules : the rule set.
    opener, seat : who opened the round, and who is to play.
    hand : the seat's tiles now, those drawn in this very turn included.
    turns : the turns so far, from the opener's lead.
    drawing : tiles that the seat has drawn in this very turn.
    drawn : the tiles that the seat drew in this round, in order; None where they are not told.
    scores : raw points of each side, before this turn.
    by_highest : whether the highest double named the opener.

    Raises
    ------
    FivesError
        Where it contradicts itself or the rules; the sentence names the turn, counted from 1.
    """

    rules: RuleSet
    opener: int
    seat: int
    hand: tuple[Tile, ...]
    turns: tuple[Turn, ...] = ()
    drawing: int = 0
    drawn: tuple[Tile, ...] | None = None
    scores: Scores = field(default=())
    by_highest: bool = False

    def __post_init__(self) -> None:
        if not self.scores:
            object.__setattr__(self, "scores", no_scores(self.rules))
        _check_seats(self)
        _check_scores(self)
        object.__setattr__(self, "_table", _replayed(self))
        _check_hand(self)
        _check_opening(self)

    @cached_property
    def layout(self) -> Layout:
        """The tiles placed."""
        return self._seen.layout

    @property
    def seats(self) -> tuple[int, ...]:
        """The seat of each turn."""
        return tuple(seat_of(self.rules, self.opener, turn) for turn in range(len(self.turns)))

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Tiles in each hand now."""
        return tuple(self._seen.sizes)

    @property
    def boneyard(self) -> int:
        """Tiles in the boneyard now, a reserve included."""
        return self._seen.boneyard

    @property
    def unseen(self) -> tuple[Tile, ...]:
        """The tiles that are neither placed nor in the seat's hand, by number."""
        known = {*self.hand, *self.layout.tiles}
        return tuple(tile for tile in tile_set(self.rules.set) if tile not in known)

    @property
    def placements(self) -> tuple[Move, ...]:
        """The distinct placements of the hand, in the order that `Layout.placements` states."""
        if not self.turns and self.by_highest and self.rules.lead == "forced":
            return (Move(max(self.hand, key=opening_rank), None),)
        return tuple(self.layout.placements(self.hand))

    @property
    def dealt(self) -> tuple[Tile, ...] | None:
        """The tiles that the seat was dealt; None where it drew and is not told what."""
        own = _own_turns(self)
        tiles = (*self.hand, *(turn.move.tile for _, turn in own if turn.move is not None))
        if self.drawn is None and self.drawing + sum(turn.drawn for _, turn in own):
            return None
        return tuple(tile for tile in tiles if tile not in (self.drawn or ()))

    @property
    def side(self) -> int:
        """The side of the seat to play."""
        return self.rules.sides[self.seat]

    @property
    def _seen(self) -> Seen:
        table: Seen = self.__dict__["_table"]
        return table


def position_at(
    rules: RuleSet, round_: RoundRecord, turn: int, scores: Scores | None = None
) -> Position | None:
    """Return what the seat of a recorded turn knew before its placement, or None where it placed nothing.

    Parameters
    ----------
    turn : counted from 0.
    scores : raw points before the round's first turn; None: none yet.
    """
    record = round_.turns[turn]
    if record.move is None:
        return None
    seat, before = record.seat, round_.turns[:turn]
    own = [what for what in before if what.seat == seat]
    drawn = [tile for what in [*own, record] for tile in what.drawn]
    played = [what.move.tile for what in own if what.move is not None]
    return Position(
        rules=rules,
        opener=round_.opener,
        seat=seat,
        hand=tuple(tile for tile in [*round_.hands[seat], *drawn] if tile not in played),
        turns=tuple(Turn(len(what.drawn), what.move) for what in before),
        drawing=len(record.drawn),
        drawn=tuple(drawn),
        scores=(before[-1].scores if before else scores) or (),
        by_highest=round_.opener_by == "highest_double",
    )


def _replayed(position: Position) -> Seen:
    """Return the table after all turns; FivesError at the first that cannot have been."""
    rules = position.rules
    seen = Seen(rules, position.opener)
    for turn, (number, move) in enumerate(position.turns):
        seen.check_goes_on(turn)
        seen.draw(turn, number, move is not None)
        seen.passes = seen.passes + 1 if move is None else 0
        if move is not None:
            seen.play(turn, move)
    seen.check_goes_on(len(position.turns))
    if position.drawing:
        seen.draw(len(position.turns), position.drawing, plays=True)
    return seen


def _check_seats(position: Position) -> None:
    players = position.rules.players
    for name, seat in (("opener", position.opener), ("seat", position.seat)):
        if not isinstance(seat, int) or not 0 <= seat < players:
            raise FivesError(f"{name} is {seat}: it must be a seat from 0 to {players - 1}.")
    due = seat_of(position.rules, position.opener, len(position.turns))
    if due != position.seat:
        raise FivesError(
            f"seat is {position.seat}, but after {len(position.turns)} turns from seat {position.opener} on "
            f"seat {due} is to play."
        )


def _check_scores(position: Position) -> None:
    rules, scores = position.rules, position.scores
    if len(scores) != rules.side_count:
        raise FivesError(
            f"{len(scores)} scores are given: give one for each of the {rules.side_count} sides."
        )
    if rules.target is None:
        return
    for side, score in enumerate(scores):
        check_standing(f"the score of side {side}", Fraction(score), rules, score_step(rules))


def _check_hand(position: Position) -> None:
    """Refuse a hand that the seat cannot hold."""
    seen, hand, seat = position.layout, position.hand, position.seat
    known = set(tile_set(position.rules.set))
    for tile in hand:
        if tile not in known:
            raise FivesError(f"{tile} is not in the {position.rules.set} set.")
        if hand.count(tile) > 1:
            raise FivesError(f"{tile} is twice in the hand.")
        if tile in seen.tiles:
            raise FivesError(f"{tile} is in the hand, but lies on the table already.")
    size = position.hand_sizes[seat]
    if len(hand) != size:
        raise FivesError(f"the hand has {len(hand)} tiles, but seat {seat} holds {size} after these turns.")
    _check_draws(position)
    if not position.placements:
        raise FivesError(f"seat {seat} has no placement: it must draw or pass, and has nothing to choose.")


def _check_draws(position: Position) -> None:
    """Refuse draws and passes of the seat itself that its own tiles contradict."""
    own = _own_turns(position)
    total = sum(turn.drawn for _, turn in own) + position.drawing
    drawn = position.drawn
    if drawn is not None and len(drawn) != total:
        raise FivesError(f"{len(drawn)} drawn tiles are named, but seat {position.seat} drew {total}.")
    held = [*position.hand]
    left: Sequence[Tile | None] = [None] * total if drawn is None else drawn
    steps = [*own]
    if position.drawing:
        steps.append((len(position.turns), Turn(position.drawing, None)))
    for turn, (number, move) in reversed(steps):
        is_now = turn == len(position.turns)
        if move is not None:
            held.append(move.tile)
        fresh = list(left[len(left) - number :]) if number else []
        left = left[: len(left) - number]
        if not _told_draws_fit(position, turn, move, fresh, held, is_now):
            return  # which of the tiles were drawn is not told, so no more can be checked
        for tile in fresh:
            assert tile is not None
            held.remove(tile)
        if number or move is None:
            _check_stuck(position, turn, held)


def _told_draws_fit(
    position: Position, turn: int, move: Move | None, fresh: list[Tile | None], held: list[Tile], is_now: bool
) -> bool:
    """Check the tiles drawn in one own turn; return False where they are not told."""
    if not fresh:
        return True
    if move is not None and fresh[-1] is None:
        fresh[-1] = move.tile  # a tile that fits is played at once
    if any(tile is None for tile in fresh):
        return False
    values = _values_before(position, turn)
    for place, tile in enumerate(fresh):
        assert tile is not None
        if tile not in held:
            raise FivesError(f"{tile} is named as drawn, but seat {position.seat} does not hold it then.")
        fits = tile.high in values or tile.low in values
        is_last = place == len(fresh) - 1 and (move is not None or is_now)
        if fits and not is_last:
            raise FivesError(
                f"turn {turn + 1}: {tile} is named as drawn, but it fits: the seat must play it at once."
            )
        if is_last and (not fits or (move is not None and tile != move.tile)):
            told = f"and not {move.tile}" if move is not None else "but it does not fit"
            raise FivesError(f"turn {turn + 1}: {tile} is named as the last tile drawn, {told}.")
    return True


def _check_stuck(position: Position, turn: int, held: Sequence[Tile]) -> None:
    values = _values_before(position, turn)
    for tile in held:
        if tile.high in values or tile.low in values:
            raise FivesError(
                f"turn {turn + 1}: seat {position.seat} draws or passes while it holds {tile}, "
                "which can be placed."
            )


def _check_opening(position: Position) -> None:
    """Refuse an opener by the highest double whom the seat's own tiles contradict."""
    dealt, seat, rules = position.dealt, position.seat, position.rules
    is_forced = rules.lead == "forced"
    if not position.by_highest or (dealt is None and is_forced):
        return
    if dealt is None:
        raise FivesError(
            f"the highest double named the opener, so what seat {seat} was dealt tells of the other hands: "
            "name the tiles that it drew, in order."
        )
    best = max(dealt, key=opening_rank)
    lead = position.turns[0].move if position.turns else None
    if seat == position.opener:
        if is_forced and lead is not None and lead.tile != best:
            raise FivesError(f"turn 1: seat {seat} leads {lead.tile}, but must lead {best}, its highest.")
        return
    others = [lead.tile] if is_forced and lead else [*position.layout.tiles, *position.unseen]
    if all(opening_rank(tile) <= opening_rank(best) for tile in others):
        raise FivesError(
            f"seat {seat} was dealt {best}, so seat {position.opener} was not dealt the tile that opens: "
            "check the hand, or say that the highest double did not name the opener."
        )


def _own_turns(position: Position) -> list[tuple[int, Turn]]:
    return [
        (turn, what)
        for turn, what in enumerate(position.turns)
        if seat_of(position.rules, position.opener, turn) == position.seat
    ]


def _values_before(position: Position, turn: int) -> set[int]:
    """Return the values that were open before a turn."""
    layout = Layout(position.rules.spinner)
    for what in position.turns[:turn]:
        if what.move is not None:
            layout.place(what.move)
    return layout.open_values()
