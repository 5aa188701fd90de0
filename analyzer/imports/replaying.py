"""Games as written become traces: each round is replayed by the referee on a deal that fits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from analyzer.errors import FivesError
from analyzer.imports.completing import check_sizes, completed_deal
from analyzer.imports.written import Place, Tiles, WrittenGame, WrittenRound
from analyzer.notation import CannotParse, Move, Tile, tile_set
from analyzer.referee.events import Scores, apply_play, game_state, no_scores, points_of_play
from analyzer.referee.games import opener_label
from analyzer.referee.record import numbers, trace_object
from analyzer.referee.rounds import RoundResult, RoundStart, View, play_round
from analyzer.referee.table import opening_rank, opening_tile
from analyzer.rulesets import RuleSet
from analyzer.seen import Seen, seat_of
from analyzer.turnlist import told


class Imported(NamedTuple):
    """A trace, and how many tiles of it had to be filled in."""

    trace: dict[str, Any]
    filled: int


def imported(game: WrittenGame, number: int, seed: int = 1) -> Iterator[Imported]:
    """Yield the traces of a written game: one, or without a target one for each round.

    Parameters
    ----------
    number : of the game in its file; without a target rounds are numbered from it.
    seed : of what is filled in where hands are not written.

    Raises
    ------
    CannotParse
        With line and column, where the rules do not allow what is written.
    """
    rules = game.rules
    if rules.target is None:
        for index, round_ in enumerate(game.rounds):
            last, filled = _round(rules, round_, _Before(number + index, 0, None, no_scores(rules)), seed)
            yield Imported(_trace(game, number + index, [last], None), filled)
        return
    before = _Before(number, 0, None, no_scores(rules))
    results: list[RoundResult] = []
    for index, round_ in enumerate(game.rounds):
        if results and results[-1].game.is_over:
            told_ = f"round {index + 1} follows the end of the game, at {_told(before.scores)}{before.hint}"
            raise _wrong(round_.place, told_)
        last, filled = _round(rules, round_, before, seed)
        results.append(last)
        before = _Before(number, index + 1, last, last.scores, before.filled + filled)
    if not results[-1].game.is_over:
        raise _wrong(
            game.rounds[-1].place,
            f"the game is not over after its last round, at {_told(before.scores)} of {rules.target}: write "
            f"the missing rounds, or target: none in the head for rounds on their own{before.hint}",
        )
    yield Imported(_trace(game, number, results, results[-1].game.winner), before.filled)


class _Before(NamedTuple):
    """What stands before a round: its numbers, the round before it, the scores."""

    game: int
    number: int
    last: RoundResult | None
    scores: Scores
    filled: int = 0

    @property
    def hint(self) -> str:
        """What may be the reason where the scores do not come out as they were."""
        if not self.filled:
            return ""
        return " (tiles left in the hands decide the scores: name them, after left and the seat)"


def _trace(
    game: WrittenGame, number: int, results: Sequence[RoundResult], winner: int | None
) -> dict[str, Any]:
    records = [result.record for result in results]
    return trace_object(game.rules, game.names, None, number, records, results[-1].scores, winner)


def _round(rules: RuleSet, round_: WrittenRound, before: _Before, seed: int) -> tuple[RoundResult, int]:
    """Return the round as the referee plays it, and how many tiles were filled in."""
    label = opener_label(rules, None if before.last is None else before.last.end)
    opener = _opener(rules, round_, before, label)
    seen, is_over = _replayed(rules, round_, opener, before)
    _check_sizes(rules, round_, "hand", round_.hands, [rules.hand] * rules.players)
    _check_sizes(rules, round_, "left", round_.left, seen.sizes)
    leads = _leads(rules, round_, label)
    with _at(round_.place):
        tiles, filled = completed_deal(rules, round_, opener, not is_over, seed + before.number, leads)
    lead = leads[0] if len(leads) == 1 else None
    start = RoundStart(before.game, before.number, opener, label, tiles, before.scores, lead)
    return _played(rules, round_, start), filled


@contextmanager
def _at(place: Place) -> Iterator[None]:
    """Put line and column in front of the sentence of a mistake."""
    try:
        yield
    except FivesError as error:
        raise CannotParse(f"{told(place)}: {error}") from error


def _check_sizes(
    rules: RuleSet, round_: WrittenRound, name: str, hands: Mapping[int, Tiles], sizes: Sequence[int]
) -> None:
    for seat, hand in hands.items():
        with _at(round_.at(f"{name} {seat}")):
            check_sizes(rules, {seat: hand}, name, sizes)
    with _at(round_.place):
        check_sizes(rules, hands, name, sizes)


def _leads(rules: RuleSet, round_: WrittenRound, label: str) -> list[Tile]:
    """Return the tiles that can have made the opener the opener; none where no tile does."""
    if label != "highest_double":
        return []
    first = round_.turns.turns[0].move
    if rules.lead == "forced" and first is not None:
        return [first.tile]
    return sorted(tile_set(rules.set), key=opening_rank, reverse=True)


def _played(rules: RuleSet, round_: WrittenRound, start: RoundStart) -> RoundResult:
    """Play the round; where a lot says who wins a tied block, so that the one wins who is written to have."""
    lots: list[int] = []  # how many sides were tied, each time that a lot was asked for

    def result(drawn: int) -> RoundResult:
        def tie(tied: int) -> int:
            lots.append(tied)
            return min(drawn, tied - 1)

        moves = iter([turn.move for turn in round_.turns.turns if turn.move is not None])
        return play_round(rules, replace(start, tie=tie), _chooser(moves, round_.place))

    results = [result(0)]
    if not lots:
        if round_.lot is not None:
            raise _wrong(round_.at("lot"), "no lot was drawn: the round does not end in a tie that needs one")
        return results[0]
    if round_.lot is None:
        raise _wrong(
            round_.place, "the block is tied for least and a lot says who wins: name the seat after lot:"
        )
    results += [result(drawn) for drawn in range(1, lots[0])]
    side = rules.sides[round_.lot]
    found = next((each for each in results if each.record["winner"] == side), None)
    if found is None:
        raise _wrong(
            round_.at("lot"), f"seat {round_.lot} is not tied for least, so it cannot have won the lot"
        )
    return found


def _chooser(moves: Iterator[Move], place: Place) -> Any:
    def choose(view: View) -> Move:
        move = next(moves, None)
        if move is None or move not in view.placements:
            raise _wrong(
                place, "no deal is consistent with these turns and tiles: look for a slip in one of them"
            )
        return move

    return choose


def _opener(rules: RuleSet, round_: WrittenRound, before: _Before, label: str) -> int:
    by_rules = _opener_by_rules(rules, round_, before, label)
    if round_.opener is None:
        if by_rules is None:
            why = "drawn by lot" if label == "lot" else "who was dealt the highest double"
            raise _wrong(round_.place, f"who opens this round is {why}: name the seat after opener:")
        return by_rules
    if by_rules is not None and by_rules != round_.opener:
        raise _wrong(
            round_.at("opener"),
            f"seat {round_.opener} is named as opener, by the rules seat {by_rules} opens",
        )
    return round_.opener


def _opener_by_rules(rules: RuleSet, round_: WrittenRound, before: _Before, label: str) -> int | None:
    """Return who must open the round; None where what is written does not tell."""
    if label == "lot":
        return None
    if label == "highest_double":
        are_known = [len(hand) == rules.hand for hand in round_.hands.values()] == [True] * rules.players
        return opening_tile([round_.hands[seat] for seat in range(rules.players)])[0] if are_known else None
    if label == "seat_in_turn":
        return 0 if before.last is None else (before.last.record["opener"] + 1) % rules.players
    assert before.last is not None
    return before.last.last_placer


def _replayed(rules: RuleSet, round_: WrittenRound, opener: int, before: _Before) -> tuple[Seen, bool]:
    """Return the open table after all turns, and whether a hand was emptied or the target hit."""
    seen, scores = Seen(rules, opener), before.scores
    for turn, (drawn, move) in enumerate(round_.turns.turns):
        place = round_.turns.places[turn]
        if game_state(rules, scores).is_over:
            raise _wrong(place, f"the target was reached before this turn, at {_told(scores)}{before.hint}")
        try:
            seen.check_goes_on(turn)
            seen.draw(turn, drawn, move is not None)
            seen.passes = seen.passes + 1 if move is None else 0
            if move is not None:
                seen.play(turn, move)
        except FivesError as error:
            raise CannotParse(f"{told(place)}: {error}") from error
        if move is not None:
            scores = _scored(rules, seen, scores, seat_of(rules, opener, turn))
    is_over = game_state(rules, scores).is_over or 0 in seen.sizes
    if not is_over and seen.drawable:
        due = seat_of(rules, opener, len(round_.turns.turns))
        raise _wrong(
            round_.turns.places[-1],
            f"the round is not over after this turn: seat {due} is to play{before.hint}",
        )
    return seen, is_over


def _scored(rules: RuleSet, seen: Seen, scores: Scores, seat: int) -> Scores:
    if rules.last_play == "with" and seen.sizes[seat] == 0:
        return scores
    return apply_play(rules, scores, rules.sides[seat], points_of_play(rules, seen.layout.count())).scores


def _told(scores: Scores) -> str:
    return " - ".join(str(score) for score in numbers(scores))


def _wrong(place: Place, what: str) -> CannotParse:
    return CannotParse(f"{told(place)}: {what}.")
