"""What the hands that are left are worth when a round ends out or blocked.

**Out**, `settlement_out`: "opponents" credits the side that went out with all its opponents' pips.
Where `partner` is "debited", its partner's pips are taken off. Where `last_play` is "with", the last
play's own points come in here too, and the whole is one event.

**Blocked**, `settlement_block`: "opponents" credits the side with the least pips (partners' hands
together) with its opponents' pips. With a tie for least nobody gains, except that `ties` "split" gives
exactly two tied sides half each of what the other sides hold. "hand_differences" credits each hand, the
lightest first, with its differences to heavier opposing hands.

Each sum is rounded once, as the field `rounding` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from analyzer.referee.events import GameState, Outcome, Scores, apply_event, game_state
from analyzer.rulesets import RuleSet

NOTHING = Fraction(0)


@dataclass(frozen=True)
class Gain:
    """One event of a settlement, in raw points.

    Attributes
    ----------
    side : the side that it is for.
    seat : who went out; in a block, the hand that is credited.
    play : the last play's own points, where they come with the settlement.
    credit, debit : what the opponents' hands give and the partner's hand takes.
    """

    side: int
    seat: int
    play: Fraction
    credit: Fraction
    debit: Fraction

    @property
    def net(self) -> Fraction:
        """What the event adds to the score."""
        return self.play + self.credit - self.debit


@dataclass(frozen=True)
class Settlement:
    """The events of a round's end, in order, the game's state after them, and the final scores.

    `events` holds only those that were tested: none follow an event that ended the game.
    """

    events: tuple[tuple[Gain, Outcome], ...]
    scores: Scores
    game: GameState


def round5(pips: Fraction | int) -> Fraction:
    """Return the nearest multiple of five: remainders 1 and 2 go down, 3 and 4 up."""
    return 5 * Fraction((2 * Fraction(pips) + 5) // 10)


def rounded(rules: RuleSet, pips: int) -> Fraction:
    """Return a settlement sum, rounded as the rule set says."""
    return round5(pips) if rules.rounding == "nearest" else Fraction(pips)


def seats_of(rules: RuleSet, side: int) -> list[int]:
    """Return the seats of a side, ascending."""
    return [seat for seat in range(rules.players) if rules.sides[seat] == side]


def side_pips(rules: RuleSet, pips: Sequence[int]) -> list[int]:
    """Return the pips of each side, partners' hands together, from those of each seat."""
    return [sum(pips[seat] for seat in seats_of(rules, side)) for side in range(rules.side_count)]


def block_winner(rules: RuleSet, pips: Sequence[int]) -> int | None:
    """Return the side that wins a blocked round; None where different sides share the least pips.

    Where hands are settled one by one, the lightest hand decides; else the lightest side.
    """
    if rules.settlement_block == "hand_differences":
        lightest = {rules.sides[seat] for seat in range(rules.players) if pips[seat] == min(pips)}
    else:
        lightest = set(_lightest_sides(rules, pips))
    return lightest.pop() if len(lightest) == 1 else None


def out_gains(rules: RuleSet, seat: int, pips: Sequence[int], play: int) -> list[Gain]:
    """Return the events after a seat went out: one, or none where it would be 0.

    Parameters
    ----------
    seat : who went out.
    pips : the pips left in each hand.
    play : points of the last play that are still to be applied.
    """
    side = rules.sides[seat]
    partners = [other for other in seats_of(rules, side) if other != seat]
    credit = _opponents(rules, side, pips) if rules.settlement_out == "opponents" else NOTHING
    debit = rounded(rules, sum(pips[other] for other in partners)) if rules.partner == "debited" else NOTHING
    gain = Gain(side, seat, Fraction(play), credit, debit)
    # A combined event is always told, since it says what became of the last play's points.
    return [gain] if gain.net or rules.last_play == "with" else []


def block_gains(rules: RuleSet, pips: Sequence[int]) -> list[Gain]:
    """Return the events of a blocked round, in order; gains of 0 are no events."""
    if rules.settlement_block == "none":
        return []
    if rules.settlement_block == "hand_differences":
        return _hand_differences(rules, pips)
    lightest = _lightest_sides(rules, pips)
    if len(lightest) == 1:
        return _credited([_side_gain(rules, lightest[0], pips, _opponents(rules, lightest[0], pips))])
    if rules.ties == "split" and len(lightest) == 2 and rules.side_count > 2:
        return _split(rules, lightest, pips)
    return []


def is_split(rules: RuleSet, gains: Sequence[Gain]) -> bool:
    """Whether a block's events are halves of one sum, all applied before the target is tested."""
    return rules.settlement_block == "opponents" and len(gains) == 2


def settle(rules: RuleSet, scores: Scores, gains: Sequence[Gain], together: bool) -> Settlement:
    """Apply events in order.

    Parameters
    ----------
    together : whether all are applied before the target is looked at; otherwise the first that
        reaches it ends the game, and no later event is applied.
    """
    events: list[tuple[Gain, Outcome]] = []
    for gain in gains:
        outcome = apply_event(rules, scores, gain.side, gain.net)
        events.append((gain, outcome))
        scores = outcome.scores
        if not together and game_state(rules, scores).is_over:
            break
    return Settlement(tuple(events), scores, game_state(rules, scores))


def _lightest_sides(rules: RuleSet, pips: Sequence[int]) -> list[int]:
    of_side = side_pips(rules, pips)
    return [side for side, sum_ in enumerate(of_side) if sum_ == min(of_side)]


def _opponents(rules: RuleSet, side: int, pips: Sequence[int]) -> Fraction:
    """Return the settlement sum of all hands of other sides."""
    return rounded(rules, sum(pips[seat] for seat in range(rules.players) if rules.sides[seat] != side))


def _side_gain(rules: RuleSet, side: int, pips: Sequence[int], credit: Fraction) -> Gain:
    """Return a side's credit, told for the lighter of its hands, of equal ones the lower seat."""
    seat = min(seats_of(rules, side), key=lambda seat: (pips[seat], seat))
    return Gain(side, seat, NOTHING, credit, NOTHING)


def _split(rules: RuleSet, tied: Sequence[int], pips: Sequence[int]) -> list[Gain]:
    others = sum(pips[seat] for seat in range(rules.players) if rules.sides[seat] not in tied)
    half = rounded(rules, others) / 2
    gains = [_side_gain(rules, side, pips, half) for side in tied]
    return _credited(sorted(gains, key=lambda gain: gain.seat))


def _hand_differences(rules: RuleSet, pips: Sequence[int]) -> list[Gain]:
    gains = []
    for seat in sorted(range(rules.players), key=lambda seat: (pips[seat], seat)):
        side = rules.sides[seat]
        heavier = [
            pips[other] - pips[seat]
            for other in range(rules.players)
            if rules.sides[other] != side and pips[other] > pips[seat]
        ]
        gains.append(Gain(side, seat, NOTHING, rounded(rules, sum(heavier)), NOTHING))
    return _credited(gains)


def _credited(gains: Sequence[Gain]) -> list[Gain]:
    return [gain for gain in gains if gain.credit]
