"""One round of a trace, checked by the rules and put together step by step, to be shown.

The plain engine reads and replays the whole game; a game that breaks the rules is refused with the engine's
own sentence. The round is then played once more on its table, and each step takes down what lies there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analyzer.errors import FivesError
from analyzer.notation import Tile, format_place
from analyzer.referee.events import Scores
from analyzer.referee.layout import Layout, PlacedTile
from analyzer.referee.reading import EventRecord, RoundRecord, Trace, TurnRecord, read_trace
from analyzer.referee.record import number, numbers
from analyzer.referee.replay import check_game, json_value, trace_lines
from analyzer.referee.table import Table as PlayTable
from analyzer.rulesets import RuleSet, in_words
from reports.board.spots import Joint
from reports.board.story import Ending, Face, Gain, Laid, Story, Table, Turn


@dataclass(frozen=True)
class Recorded:
    """A game as it was read.

    Attributes
    ----------
    trace : the game; it follows the rules.
    policies : the policy of each seat; empty where the trace names none.
    games : how many games the file holds.
    """

    trace: Trace
    policies: tuple[str, ...]
    games: int


def recorded_game(obj: object) -> Recorded:
    """Return the game of a trace object.

    Raises
    ------
    FivesError
        Where it is no trace, or breaks the rules; the sentence is the plain engine's.
    """
    trace = read_trace(obj)
    faults = check_game(trace)
    if faults:
        more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
        raise FivesError(f"{' '.join(str(faults[0]).split())}{more}; fives verify names every fault.")
    return Recorded(trace, _policies(obj, trace.rules), 1)


def find_game(path: Path, game: int | None) -> Recorded:
    """Return a game of a file of traces.

    Parameters
    ----------
    path : the file, or "-" for standard input.
    game : the game's number as its trace gives it; None: the first of the file.

    Raises
    ------
    FivesError
        Where the file cannot be read, holds no such game, or the game or a line before it is damaged.
    """
    found: Recorded | None = None
    others: list[int] = []
    games = 0
    for line_number, line in trace_lines(path):
        games += 1
        if found is not None:
            continue
        try:
            obj = json_value(line)
            if game is None or _game_number(obj) == game:
                found = recorded_game(obj)
            else:
                others.append(_game_number(obj))
        except FivesError as error:
            raise FivesError(f"{path}, line {line_number}: {error}") from error
    if found is None:
        raise _no_game(path, game, others)
    return replace(found, games=games)


def _game_number(obj: object) -> int:
    """Return the number of a game without reading all of it; CannotParse where there is none."""
    game = obj.get("game") if isinstance(obj, Mapping) else None
    return game if isinstance(game, int) else read_trace(obj).game


def _no_game(path: Path, game: int | None, others: Sequence[int]) -> FivesError:
    if not others:
        return FivesError(f"{path} holds no trace: each line must be one game, as fives trace writes it.")
    span = f"{len(others):,} games, numbers {min(others)} to {max(others)}"
    has = f"only game {others[0]}" if len(others) == 1 else span
    return FivesError(f"{path} has no game {game}: it has {has}.")


def _policies(obj: object, rules: RuleSet) -> tuple[str, ...]:
    names = obj.get("policies") if isinstance(obj, Mapping) else None
    return tuple(names) if names and len(names) == rules.players else ()


# --- the round ----------------------------------------------------------------------------------


def round_story(recorded: Recorded, round_: int) -> Story:
    """Return one round of a game, step by step.

    Raises
    ------
    FivesError
        Where the game has no such round.
    """
    check_round(recorded.trace, round_)
    return _Teller(recorded, round_).story()


def check_round(trace: Trace, round_: int) -> None:
    """Raise FivesError unless the game has a round of this number."""
    if not 0 <= round_ < len(trace.rounds):
        last = len(trace.rounds) - 1
        has = "only round 0" if last == 0 else f"rounds 0 to {last}"
        raise FivesError(f"game {trace.game} has no round {round_}: it has {has}.")


class _Teller:
    """Plays a round once more and takes down each step."""

    def __init__(self, recorded: Recorded, round_: int) -> None:
        self.recorded = recorded
        self.trace = recorded.trace
        self.rules = recorded.trace.rules
        self.round = round_
        self.record = recorded.trace.rounds[round_]
        self.table = PlayTable(self.rules, self.record.hands, self.record.boneyard)
        self.scores = scores_before(self.trace, round_)

    def story(self) -> Story:
        """Return the whole round."""
        dealt = self._table()
        turns = tuple(self._turn(number_, turn) for number_, turn in enumerate(self.record.turns))
        return Story(
            rules=in_words(self.rules),
            unit="points" if self.rules.points == "divided" else "raw points",
            sides=self.rules.sides,
            policies=self.recorded.policies,
            target=self.rules.target,
            game=self.trace.game,
            round=self.round,
            rounds=len(self.trace.rounds),
            opener=self.record.opener,
            opener_by=self.record.opener_by,
            laid=laid_tiles(self.table.layout),
            dealt=dealt,
            turns=turns,
            ending=self._ending(),
        )

    def _turn(self, number_: int, turn: TurnRecord) -> Turn:
        side = self.rules.sides[turn.seat]
        before = number(self.scores[side])
        drawn = self.table.draw(turn.seat, len(turn.drawn))
        if turn.move is not None:
            self.table.place(turn.seat, turn.move)
        self.scores = turn.scores
        return Turn(
            number=number_,
            seat=turn.seat,
            drawn=_faces(drawn),
            move=None if turn.move is None else str(turn.move),
            count=turn.count,
            points=number(turn.points),
            accepted=turn.accepted,
            waits=bool(turn.points) and turn.accepted is None,
            before=before,
            table=self._table(),
        )

    def _ending(self) -> Ending:
        gains = tuple(self._gain(event) for event in self.record.settlement)
        is_last = self.round == len(self.trace.rounds) - 1
        return Ending(
            end=self.record.end,
            winner=self.record.winner,
            pips=self.record.pips,
            gains=gains,
            is_last=is_last,
            game_winner=self.trace.winner if is_last else None,
            table=self._table(),
        )

    def _gain(self, event: EventRecord) -> Gain:
        before = number(self.scores[event.side])
        self.scores = event.scores
        return Gain(
            side=event.side,
            seat=event.seat,
            play=number(event.play),
            credit=number(event.credit),
            debit=number(event.debit),
            net=number(event.net),
            accepted=bool(event.accepted),
            before=before,
        )

    def _table(self) -> Table:
        layout = self.table.layout
        return Table(
            laid=len(layout),
            hands=tuple(_faces(hand) for hand in self.table.hands),
            boneyard=_faces(self.table.boneyard),
            places=tuple(format_place(place) for place in layout.open_places()),
            scores=tuple(numbers(self.scores)),
        )


def scores_before(trace: Trace, round_: int) -> Scores:
    """Return the scores at the start of a round: of the round before, or of the game."""
    if round_ == 0:
        return trace.start
    record: RoundRecord = trace.rounds[round_ - 1]
    return (record.settlement or record.turns)[-1].scores


def _faces(tiles: Sequence[Tile]) -> tuple[Face, ...]:
    return tuple(Face(*tile) for tile in tiles)


# --- the layout ---------------------------------------------------------------------------------


def laid_tiles(layout: Layout) -> tuple[Laid, ...]:
    """Return the tiles of a layout in the order of play, each with what it joins."""
    numbers_ = {id(placed): index for index, placed in enumerate(layout.placed)}
    joined: dict[int, tuple[int, int]] = {}
    for parent, placed in enumerate(layout.placed):
        for exit_, side in enumerate([*placed.ends, *placed.in_line, *placed.arms]):
            child = -1 if side.joined is None else numbers_[id(side.joined)]
            if child > parent:
                # Only the lead has two halves that others join: one half of a later tile joined itself.
                joined[child] = (parent, exit_ if placed.tile.is_double or parent == 0 else 1)
    return tuple(_laid(layout, index, joined.get(index)) for index in range(len(layout)))


def _laid(layout: Layout, index: int, joined: tuple[int, int] | None) -> Laid:
    tile = layout.placed[index].tile
    if joined is None:
        return Laid(tile.high, tile.low, Joint(None, 0, tile.is_double))
    near = _joining_half(layout.placed[index], layout.placed[joined[0]])
    return Laid(near, tile.other_half(near), Joint(*joined, tile.is_double))


def _joining_half(placed: PlacedTile, parent: PlacedTile) -> int:
    """Return the value of the half that joined a tile that lay before."""
    sides = [*placed.ends, *placed.in_line]
    return next(side.value for side in sides if side.joined is parent)
