"""What the hands that are left are worth when a round ends out or blocked.

**Out**, `settlement_out`: "opponents" credits the side that went out with all its opponents' pips, "one"
with one point. Where `partner` is "debited", its partner's pips are taken off. Where `last_play` is "with",
the last play's own points come in here too, and the whole is one event.

**Blocked**, `settlement_block`: "opponents" credits the side with the least pips (partners' hands
together) with its opponents' pips, "less_own" with these less its own, "differences" with what each other
side has more than it. With a tie for least nobody gains, except that `ties` "split" gives exactly two tied
sides half each of what they win from the other sides, and "lot" lets one of the tied sides, drawn by lot, win
the round as if it alone were lightest. "hand_differences" credits each hand, the lightest first, with its
differences to heavier opposing hands.

Sums are rounded as the field `rounding` says: once, or, where `rounding_of` is "hand", each hand or
difference on its own. Where points are divided, a sum is the number of fives in it.
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
    """Return what pips are worth in a settlement, rounded as the rule set says."""
    if rules.rounding == "none":
        return Fraction(pips)
    fives = round5(pips) if rules.rounding == "nearest" else Fraction(pips - pips % 5)
    return fives / 5 if rules.points == "divided" else fives


def _worth(rules: RuleSet, won: Sequence[int], taken_off: Sequence[int] = ()) -> Fraction:
    """Return what pips won less pips taken off are worth, never below 0: rounded once, or each on its own."""
    if rules.rounding_of == "sum":
        return max(NOTHING, rounded(rules, sum(won) - sum(taken_off)))
    added = sum((rounded(rules, pips) for pips in won), NOTHING)
    return max(NOTHING, added - sum(rounded(rules, pips) for pips in taken_off))


def seats_of(rules: RuleSet, side: int) -> list[int]:
    """Return the seats of a side, ascending."""
    return [seat for seat in range(rules.players) if rules.sides[seat] == side]


def side_pips(rules: RuleSet, pips: Sequence[int]) -> list[int]:
    """Return the pips of each side, partners' hands together, from those of each seat."""
    return [sum(pips[seat] for seat in seats_of(rules, side)) for side in range(rules.side_count)]


def block_winners(rules: RuleSet, pips: Sequence[int]) -> list[int]:
    """Return the sides with the least pips, ascending.

    Where hands are settled one by one, the lightest hand decides; else the lightest side.
    """
    if rules.settlement_block == "hand_differences":
        return sorted({rules.sides[seat] for seat in range(rules.players) if pips[seat] == min(pips)})
    return _lightest_sides(rules, pips)


def needs_lot(rules: RuleSet, pips: Sequence[int]) -> bool:
    """Whether a lot must say which of the tied sides wins a blocked round."""
    by_lot = rules.ties == "lot" and rules.settlement_block != "hand_differences"
    return by_lot and len(block_winners(rules, pips)) > 1


def block_winner(rules: RuleSet, pips: Sequence[int], lot: int | None = None) -> int | None:
    """Return the side that wins a blocked round; None where different sides share the least pips.

    Parameters
    ----------
    lot : the tied side that was drawn, where a lot decides.
    """
    if needs_lot(rules, pips):
        return lot
    lightest = block_winners(rules, pips)
    return lightest[0] if len(lightest) == 1 else None


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
    credit = NOTHING
    if rules.settlement_out == "opponents":
        credit = _worth(rules, _hands_of_others(rules, [side], pips))
    elif rules.settlement_out == "one":
        credit = Fraction(1)
    debit = rounded(rules, sum(pips[other] for other in partners)) if rules.partner == "debited" else NOTHING
    gain = Gain(side, seat, Fraction(play), credit, debit)
    # A combined event is always told, since it says what became of the last play's points.
    return [gain] if gain.net or rules.last_play == "with" else []


def block_gains(rules: RuleSet, pips: Sequence[int], lot: int | None = None) -> list[Gain]:
    """Return the events of a blocked round, in order; gains of 0 are no events.

    Parameters
    ----------
    lot : the tied side that was drawn, where a lot decides.
    """
    if rules.settlement_block == "none":
        return []
    if rules.settlement_block == "hand_differences":
        return _hand_differences(rules, pips)
    winner = block_winner(rules, pips, lot)
    if winner is not None:
        return _credited([_side_gain(rules, winner, pips, _won_from_others(rules, [winner], pips))])
    lightest = _lightest_sides(rules, pips)
    if rules.ties == "split" and len(lightest) == 2 and rules.side_count > 2:
        half = _won_from_others(rules, lightest, pips) / 2
        gains = [_side_gain(rules, side, pips, half) for side in lightest]
        return _credited(sorted(gains, key=lambda gain: gain.seat))
    return []


def is_split(rules: RuleSet, gains: Sequence[Gain]) -> bool:
    """Whether a block's events are halves of one sum, all applied before the target is tested."""
    return rules.settlement_block != "hand_differences" and len(gains) == 2


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


def _hands_of_others(rules: RuleSet, sides: Sequence[int], pips: Sequence[int]) -> list[int]:
    return [pips[seat] for seat in range(rules.players) if rules.sides[seat] not in sides]


def _won_from_others(rules: RuleSet, lightest: Sequence[int], pips: Sequence[int]) -> Fraction:
    """Return what one of the lightest sides, or each of two before it is halved, wins from all others."""
    won, own = _hands_of_others(rules, lightest, pips), seats_of(rules, lightest[0])
    if rules.settlement_block == "opponents":
        return _worth(rules, won)
    if rules.settlement_block == "less_own":
        return _worth(rules, won, [pips[seat] for seat in own])
    of_side = side_pips(rules, pips)
    others = [side for side in range(rules.side_count) if side not in lightest]
    return _worth(rules, [of_side[side] - of_side[lightest[0]] for side in others])


def _side_gain(rules: RuleSet, side: int, pips: Sequence[int], credit: Fraction) -> Gain:
    """Return a side's credit, told for the lighter of its hands, of equal ones the lower seat."""
    seat = min(seats_of(rules, side), key=lambda seat: (pips[seat], seat))
    return Gain(side, seat, NOTHING, credit, NOTHING)


def _hand_differences(rules: RuleSet, pips: Sequence[int]) -> list[Gain]:
    gains = []
    for seat in sorted(range(rules.players), key=lambda seat: (pips[seat], seat)):
        side = rules.sides[seat]
        heavier = [
            pips[other] - pips[seat]
            for other in range(rules.players)
            if rules.sides[other] != side and pips[other] > pips[seat]
        ]
        gains.append(Gain(side, seat, NOTHING, _worth(rules, heavier), NOTHING))
    return _credited(gains)


def _credited(gains: Sequence[Gain]) -> list[Gain]:
    return [gain for gain in gains if gain.credit]
