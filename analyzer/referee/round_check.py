"""One recorded round held against the rules.

The plain engine replays the round as it was played, and each recorded field that differs from the rules
is one fault. After a fault the replay goes on from what the rest of the record bears out. Two things it
cannot repair: where a deal is no shuffled set, or a tile is placed that was not in the hand, the hands are
unknown, and what depends on them is no longer judged; and after a placement that does not fit the layout
nothing in that round is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from analyzer.notation import NotLegal, Tile, tile_set
from analyzer.referee.events import Outcome, apply_event, apply_play, points_of_play
from analyzer.referee.reading import EventRecord, RoundRecord, TurnRecord
from analyzer.referee.record import number, tile_texts
from analyzer.referee.scoreline import Scoreline, Step
from analyzer.referee.settlement import Gain, block_gains, block_winner, block_winners, is_split, out_gains
from analyzer.referee.table import Table, opening_tile
from analyzer.rulesets import RuleSet


@dataclass(frozen=True)
class RoundFault:
    """One fault of a round; `turn` counts from 0, None where it is no turn's."""

    turn: int | None
    text: str


class RoundCheck:
    """Replays one recorded round.

    Parameters
    ----------
    rules : the rule set.
    record : the round as written.
    scoreline : the scores at its start; moved on to those at its end.
    lead_is_forced : whether the opener must lead its highest double, or the tile that stands in for it.

    Attributes
    ----------
    faults : what was found, in the order of the round.
    end : how the round ended by the rules, or None where that cannot be told.
    """

    def __init__(
        self, rules: RuleSet, record: RoundRecord, scoreline: Scoreline, lead_is_forced: bool = False
    ) -> None:
        self.rules = rules
        self.record = record
        self.scoreline = scoreline
        self.lead_is_forced = lead_is_forced
        self.faults: list[RoundFault] = []
        self.end: str | None = None
        self.table = Table(rules, record.hands, record.boneyard)
        self.hands_known = True
        self._turn: int | None = None
        self._expected_seat = record.opener
        self._waiting_points = 0

    def run(self) -> None:
        """Check the whole round."""
        self._check_deal()
        is_whole = self._check_turns()
        self._turn = None
        if not is_whole:
            self._trust_recorded_end()
        elif self.end is not None:
            self._check_end()
        elif self.hands_known:
            self._fault("the turns stop before the round ends")
            self._check_pips()
            self._trust_recorded_end()
        else:
            self._trust_recorded_end()

    def next_opener(self) -> int | None:
        """Return who placed the last tile, also the one who went out; None where the end is unknown."""
        return None if self.end is None else self.table.last_placer

    def _fault(self, text: str) -> None:
        self.faults.append(RoundFault(self._turn, text))

    def _differs(self, what: str, recorded: object, right: object) -> None:
        if recorded != right:
            self._fault(f"{what} is {_shown(recorded)}, by the rules {_shown(right)}")

    # --- the deal -------------------------------------------------------------------------------

    def _check_deal(self) -> None:
        for seat, hand in enumerate(self.record.hands):
            if len(hand) != self.rules.hand:
                self._fault(f"seat {seat} is dealt {len(hand)} tiles, by the rules {self.rules.hand}")
        dealt = Counter(tile for tiles in (*self.record.hands, self.record.boneyard) for tile in tiles)
        twice = sorted(tile for tile, times in dealt.items() if times > 1)
        missing = [tile for tile in tile_set(self.rules.set) if tile not in dealt]
        if twice:
            self._fault(f"dealt more than once: {_tiles(twice)}")
        if missing:
            self._fault(f"neither dealt nor in the boneyard: {_tiles(missing)}")
        self.hands_known = not (twice or missing)

    # --- the turns ------------------------------------------------------------------------------

    def _check_turns(self) -> bool:
        """Check the turns; return False where one cannot be placed, so that the rest means nothing."""
        for index, turn in enumerate(self.record.turns):
            self._turn = index
            if self.end is not None:
                self._fault(f"the round goes on, but it ended {self.end} with the turn before")
                return True
            if not self._check_turn(turn):
                return False
        return True

    def _check_turn(self, turn: TurnRecord) -> bool:
        seat = self._acting_seat(turn)
        if self.hands_known:
            self._check_draw(turn, seat)
        self._expected_seat = self.table.next_seat(seat)
        if turn.is_pass:
            self._check_pass(turn, seat)
            return True
        return self._check_play(turn, seat)

    def _acting_seat(self, turn: TurnRecord) -> int:
        """Return whose turn it was: by the rules, unless only the recorded seat holds the tile placed."""
        right = self._expected_seat
        if turn.seat == right:
            return right
        self._fault(f"seat {turn.seat} has the turn, by the rules seat {right}")
        is_held = turn.move is not None and turn.move.tile in self.table.hands[turn.seat]
        return turn.seat if is_held else right

    def _check_draw(self, turn: TurnRecord, seat: int) -> None:
        due = self.table.due_draws(seat)
        drawn = list(turn.drawn)
        if drawn == due:
            self.table.draw(seat, len(due))
            return
        self._fault(f"draws {_tiles(drawn)}, by the rules {_tiles(due)}")
        # The turn is replayed with the draws by the rules, unless only the recorded ones explain the play.
        in_order = drawn == self.table.boneyard[: len(drawn)]
        tile = None if turn.move is None else turn.move.tile
        explains = tile not in [*self.table.hands[seat], *due]
        self.table.draw(seat, len(drawn) if in_order and explains else len(due))

    def _check_pass(self, turn: TurnRecord, seat: int) -> None:
        if self.hands_known and self.table.can_place(seat):
            first = self.table.placements(seat)[0]
            self._fault(f"seat {seat} passes, but must place a tile, such as {first}")
        self._differs("count", turn.count, None)
        self._differs("points", turn.points, 0)
        self._step(turn, lambda scores: Outcome(None, scores))
        if self.hands_known and self.table.is_blocked():
            self.end = "blocked"

    def _check_play(self, turn: TurnRecord, seat: int) -> bool:
        if turn.move is None:
            self._fault(str(turn.illegal))
            return False
        try:
            self.table.layout.place(turn.move)
        except NotLegal as error:
            self._fault(str(error))
            return False
        self._check_lead(turn.move.tile)
        self._take_from_hand(turn.move.tile, seat)
        self.table.last_placer = seat
        count = self.table.layout.count()
        points = points_of_play(self.rules, count)
        self._differs("count", turn.count, count)
        self._differs("points", turn.points, points)
        self._check_play_event(turn, seat, points)
        return True

    def _check_lead(self, tile: Tile) -> None:
        if self.lead_is_forced and self.hands_known and len(self.table.layout) == 1:
            _, due = opening_tile(self.record.hands)
            if tile != due:
                self._fault(f"the lead is {tile}, by the rules {due}")

    def _take_from_hand(self, tile: Tile, seat: int) -> None:
        hand = self.table.hands[seat]
        if tile in hand:
            hand.remove(tile)
        elif self.hands_known:
            self._fault(f"seat {seat} places {tile}, which is not in its hand")
            self.hands_known = False

    def _check_play_event(self, turn: TurnRecord, seat: int, points: int) -> None:
        is_last = self._is_last_tile(seat)
        side = self.rules.sides[seat]
        if is_last and self.rules.last_play == "with":
            self._waiting_points = points
            self._step(turn, lambda scores: Outcome(None, scores))
        else:
            self._step(turn, lambda scores: apply_play(self.rules, scores, side, points))
        if not self.hands_known:
            return
        if self.scoreline.state().is_over:
            self.end = "target"
        elif is_last:
            self.end = "out"
        elif self.table.is_blocked():
            self.end = "blocked"

    def _is_last_tile(self, seat: int) -> bool:
        """Whether the seat has emptied its hand; by the record where the hands are unknown."""
        if self.hands_known:
            return self.table.is_out(seat)
        return self._turn == len(self.record.turns) - 1 and self.record.end == "out"

    def _step(self, turn: TurnRecord, apply: Step) -> None:
        for text in self.scoreline.step(apply, turn.accepted, turn.scores):
            self._fault(text)

    # --- the end --------------------------------------------------------------------------------

    def _check_end(self) -> None:
        self._differs("end", self.record.end, self.end)
        self._check_pips()
        self._check_settlement(self._gains())
        self._differs("the round's winner", self.record.winner, self._winner())

    def _check_pips(self) -> None:
        self._differs("pips", list(self.record.pips), self.table.pips())

    def _lot(self) -> int | None:
        """Return the tied side that a lot has drawn: the recorded winner, where it is one of them."""
        tied = block_winners(self.rules, self.table.pips())
        return self.record.winner if self.record.winner in tied else tied[0]

    def _winner(self) -> int | None:
        if self.end == "blocked":
            return block_winner(self.rules, self.table.pips(), self._lot())
        assert self.table.last_placer is not None
        return self.rules.sides[self.table.last_placer]

    def _gains(self) -> list[Gain]:
        if self.end == "target":
            return []
        if self.end == "blocked":
            return block_gains(self.rules, self.table.pips(), self._lot())
        assert self.table.last_placer is not None
        return out_gains(self.rules, self.table.last_placer, self.table.pips(), self._waiting_points)

    def _check_settlement(self, gains: Sequence[Gain]) -> None:
        recorded = list(self.record.settlement)
        together = is_split(self.rules, gains)
        order = []
        for gain in gains:
            event = next((event for event in recorded if event.seat == gain.seat), None)
            if event is None and len(gains) == len(recorded) == 1:
                event = recorded[0]  # only its seat is wrong
            if event is None:
                self._miss_event(gain)
            else:
                recorded.remove(event)
                order.append(event)
                self._check_event(event, gain)
            if not together and self.scoreline.state().is_over:
                break
        for event in recorded:
            self._fault(f"the settlement has an event of seat {event.seat} that the rules do not give")
        if order != [event for event in self.record.settlement if event in order]:
            self._fault("the events of the settlement are not in their order")

    def _check_event(self, event: EventRecord, gain: Gain) -> None:
        name = f"the settlement's event of seat {gain.seat}:"
        for key in ("side", "seat", "play", "credit", "debit", "net"):
            self._differs(f"{name} {key}", getattr(event, key), getattr(gain, key))
        for text in self.scoreline.step(self._applied(gain), event.accepted, event.scores):
            self._fault(f"{name} {text}")

    def _miss_event(self, gain: Gain) -> None:
        self._fault(f"the settlement lacks the event of seat {gain.seat}, net {number(gain.net)}")
        self.scoreline.miss(self._applied(gain))

    def _applied(self, gain: Gain) -> Step:
        return lambda scores: apply_event(self.rules, scores, gain.side, gain.net)

    def _trust_recorded_end(self) -> None:
        """Go on from the last recorded scores, where the end cannot be judged."""
        self.end = None
        rows = [turn.scores for turn in self.record.turns]
        rows += [event.scores for event in self.record.settlement]
        if rows:
            self.scoreline.trust(rows[-1])


def _tiles(tiles: Sequence[Tile]) -> str:
    return " ".join(tile_texts(tiles)) or "nothing"


def _shown(value: object) -> str:
    if isinstance(value, Fraction):
        value = number(value)
    return "null" if value is None else str(value)
