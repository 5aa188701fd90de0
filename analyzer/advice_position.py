"""The position that is asked about, from words as a player types them, or from a turn of a trace."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

from analyzer.errors import FivesError
from analyzer.given import read_tiles
from analyzer.limits import check_whole
from analyzer.positions import Position, position_at
from analyzer.referee.reading import Trace
from analyzer.rulesets import RuleSet, openers_of
from analyzer.showing import check_round, scores_before
from analyzer.turnlist import parse_turns


def typed_position(
    rules: RuleSet,
    hand: str,
    *,
    opener: int | None = None,
    seat: int | None = None,
    moves: str = "",
    drawn: str | None = None,
    scores: Sequence[int | float] | None = None,
    highest_double: bool | None = None,
) -> Position:
    """Return what a seat knows, from texts.

    Parameters
    ----------
    rules : without a target the round alone counts.
    hand : the tiles that the seat holds now.
    opener, seat : who opened, and who is to play; one of the two is enough.
    moves : the turns so far, as `analyzer.turnlist` reads them.
    drawn : the tiles that the seat drew, in order; None: not told.
    scores : raw points of each side; None: none yet.
    highest_double : whether the highest double named the opener; None: as in the first round of a game where
        no side has a score, else as in later ones.

    Raises
    ------
    FivesError
        Where a text cannot be read, or what is told contradicts itself or the rules.
    """
    told = parse_turns(moves, rules.highest_pip)
    opens = _opener(rules, opener, seat, len(told.turns))
    return Position(
        rules=rules,
        opener=opens,
        seat=(opens + len(told.turns)) % rules.players if seat is None else seat,
        hand=read_tiles("the hand", hand, rules),
        turns=told.turns,
        drawing=told.drawing,
        drawn=None if drawn is None else tuple(read_tiles("what was drawn", drawn, rules)),
        scores=_scores(rules, scores),
        by_highest=_by_highest(rules, highest_double, any(scores or ())),
    )


def _opener(rules: RuleSet, opener: int | None, seat: int | None, turns: int) -> int:
    if opener is None and seat is None:
        raise FivesError("neither opener nor seat is given: name the seat that opened, or the one to play.")
    for name, given in (("opener", opener), ("seat", seat)):
        if given is not None:
            check_whole(name, given)
    if opener is not None:
        return opener
    assert seat is not None
    if not 0 <= seat < rules.players:  # said here, since a remainder would hide it
        raise FivesError(f"seat is {seat}: it must be a seat from 0 to {rules.players - 1}.")
    return (seat - turns) % rules.players


def _by_highest(rules: RuleSet, told: bool | None, is_later: bool) -> bool:
    """Return whether the highest double named the opener; `is_later`: scores tell of rounds before this."""
    every = {label == "highest_double" for label in openers_of(rules)}
    if told is not None:
        if told not in every:
            what = "never names an opener" if told else "names every opener"
            raise FivesError(f"highest_double is {told}, but by these rules the highest double {what}.")
        return told
    if is_later:
        every = {label == "highest_double" for label in openers_of(rules)[1:]}
    elif len(every) > 1:
        return rules.opener_first == "highest_double"
    if len(every) > 1:
        raise FivesError(
            "by these rules the highest double names the openers of some later rounds: "
            "say with highest_double whether it named this one."
        )
    return every.pop()


def _scores(rules: RuleSet, scores: Sequence[int | float] | None) -> tuple[Fraction, ...]:
    if scores is None:
        return ()
    if rules.target is None:
        raise FivesError("scores are for games: in a single round they change nothing, so leave them out.")
    if not scores:
        raise FivesError(f"no score is given: give one for each of the {rules.side_count} sides.")
    return tuple(Fraction(score) for score in scores)


def recorded_position(trace: Trace, round_: int, turn: int) -> Position:
    """Return what the seat of a recorded turn knew before its placement.

    Parameters
    ----------
    trace : a game that follows the rules.
    round_, turn : counted from 0.

    Raises
    ------
    FivesError
        Where the game has no such turn, or it is a pass.
    """
    check_round(trace, round_)
    record = trace.rounds[round_]
    if not 0 <= turn < len(record.turns):
        raise FivesError(f"round {round_} has no turn {turn}: it has turns 0 to {len(record.turns) - 1}.")
    position = position_at(trace.rules, record, turn, scores_before(trace, round_))
    if position is None:
        raise FivesError(f"turn {turn} of round {round_} is a pass: there was nothing to choose.")
    return position


def round_alone(position: Position) -> Position:
    """Return the position of a round that counts alone: no target, no scores."""
    return dataclasses.replace(position, rules=position.rules.replace(target=None), scores=())
