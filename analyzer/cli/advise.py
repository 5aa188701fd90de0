"""`fives advise`: what each placement of a position is worth, and which is best."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyzer import limits
from analyzer.cli import options
from analyzer.cli.output import emit, emit_json, emit_table
from analyzer.errors import FivesError, shown
from analyzer.policies import DEFAULT_BASE
from analyzer.rulesets import DEFAULT_PLAYERS, in_words

if TYPE_CHECKING:
    from analyzer.advice import Advice
    from analyzer.positions import Position
    from analyzer.rulesets import RuleSet

_TYPED = {
    "hand": "--hand",
    "opener": "--opener",
    "seat": "--seat",
    "moves": "--moves",
    "drawn": "--drawn",
    "scores": "--scores",
    "highest_double": "--highest-double",
    "rules": "RULES",
    "rules_file": "--rules",
    "players": "--players",
    "tile_set": "--set",
    "target": "--target",
    "hand_size": "--hand-size",
    "sides": "--sides",
}
_SCORE = re.compile(r"-?[0-9]{1,9}(\.5)?")
_HEADS = {True: "for it", False: "against it", None: "to know"}


def advise(
    ctx: typer.Context,
    rules: options.RulesName = None,
    *,
    hand: Annotated[
        str | None,
        typer.Option("--hand", metavar="TILES", help='The tiles that the seat holds now: "6-3 5-5".'),
    ] = None,
    opener: Annotated[
        int | None, options.number("--opener", metavar="SEAT", help="The seat that opened the round.")
    ] = None,
    seat: Annotated[
        int | None,
        options.number("--seat", metavar="SEAT", help="The seat to play; it or --opener may be left out."),
    ] = None,
    moves: Annotated[
        str,
        typer.Option(
            "--moves",
            metavar="TURNS",
            help='The turns so far, from the opener on: "6-3, +2 6-6@6, pass, +3 pass"; +2 at the end: '
            "tiles just drawn. [default: none]",
        ),
    ] = "",
    drawn: Annotated[
        str | None,
        typer.Option("--drawn", metavar="TILES", help="The tiles that the seat drew, in order, to check."),
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option("--scores", metavar="A,B", help="Raw points of each side now. [default: zeros]"),
    ] = None,
    highest_double: Annotated[
        bool | None,
        typer.Option(
            "--highest-double/--no-highest-double",
            help="Whether the highest double named the opener. [default: as in a first round without scores, "
            "as in later ones with]",
        ),
    ] = None,
    round_only: Annotated[
        bool, typer.Option("--round-only", help="Let the points of this round count, not the game.")
    ] = False,
    trace: Annotated[
        Path | None,
        options.output_option(
            "--trace", metavar="FILE", help="A turn of a recorded game instead; - is stdin."
        ),
    ] = None,
    game: Annotated[
        int | None, options.number("--game", metavar="G", help="The game of the file. [default: its first]")
    ] = None,
    round_: Annotated[
        int | None, options.number("--round", metavar="R", help="Its round. [default: 0]")
    ] = None,
    turn: Annotated[int | None, options.number("--turn", metavar="T", help="The turn of the round.")] = None,
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="P", help="The policy that plays on in all seats. [default: careful]"),
    ] = None,
    policy_file: options.PolicyFile = None,
    worlds: Annotated[
        int | None,
        options.number("--worlds", metavar="N", help="Play at most N worlds. [default: 10000, or 2 seconds]"),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Play for at most S seconds.")
    ] = None,
    seed: options.Seed = options.DEFAULT_SEED,
    rules_file: options.RulesFile = None,
    players: options.Players = DEFAULT_PLAYERS,
    tile_set: options.TileSet = None,
    target: options.Target = None,
    hand_size: options.HandSize = None,
    sides: options.Sides = None,
    confidence: options.Confidence = options.DEFAULT_CONFIDENCE,
    explain: Annotated[bool, typer.Option("--explain", help="Say what speaks for the best.")] = False,
    json: options.AsJson = False,
) -> None:
    """Say what each placement is worth to a seat that knows its hand and what lies open, the best first."""
    limits.check_seed(seed)
    limits.check_confidence(confidence)
    if round_only and scores is not None:
        raise FivesError(
            "--scores is for the game, of which --round-only knows nothing: leave one of them out."
        )
    if trace is None:
        _refuse(ctx, {"game": "--game", "round_": "--round", "turn": "--turn"}, "is for --trace")
        rule_set = options.chosen_rules(
            rules,
            file=rules_file,
            players=players,
            tile_set=tile_set,
            target=target,
            hand_size=hand_size,
            sides=sides,
        )
        position = _typed(rule_set, hand, opener, seat, moves, drawn, scores, highest_double)
    else:
        _refuse(ctx, _TYPED, "is for a position that is typed: a trace has its own")
        position = _recorded(trace, game, round_ or 0, turn)
    (named,) = options.named_policies([base or DEFAULT_BASE], policy_file)
    found = _advice(position, named, worlds, seconds, round_only, seed, confidence)
    if json:
        reasons = [reason.as_dict() for reason in found.reasons]
        emit_json(found.as_dict() | ({"reasons": reasons} if explain else {}))
    else:
        _show(found, explain)


def _refuse(ctx: Any, names: dict[str, str], why: str) -> None:
    """Refuse options that do not belong to where the position comes from."""
    for name, flag in names.items():
        if ctx.get_parameter_source(name).name != "DEFAULT":
            raise FivesError(f"{flag} {why}, so leave it out.")


def _typed(
    rules: RuleSet,
    hand: str | None,
    opener: int | None,
    seat: int | None,
    moves: str,
    drawn: str | None,
    scores: str | None,
    highest_double: bool | None,
) -> Position:
    from analyzer.advice_position import typed_position

    if hand is None:
        raise FivesError('no hand is given: give the tiles that the seat holds, as in --hand "6-3 5-5".')
    numbers = None if scores is None else _numbers(scores)
    return typed_position(
        rules,
        hand,
        opener=opener,
        seat=seat,
        moves=moves,
        drawn=drawn,
        scores=numbers,
        highest_double=highest_double,
    )


def _numbers(text: str) -> list[float]:
    """Return raw points from a text such as 250,300; a score may end in .5."""
    words = [word.strip() for word in text.split(",")]
    if not all(map(_SCORE.fullmatch, words)):
        raise FivesError(f"scores is {shown(text)}: give the raw points of each side, such as 250,300.")
    return [float(word) for word in words]


def _recorded(path: Path, game: int | None, round_: int, turn: int | None) -> Position:
    from analyzer.advice_position import recorded_position
    from analyzer.showing import find_game

    if turn is None:
        raise FivesError("no turn is given: name the one to look at with --turn.")
    return recorded_position(find_game(path, game).trace, round_, turn)


def _advice(
    position: Position,
    base: Any,
    worlds: int | None,
    seconds: float | None,
    round_only: bool,
    seed: int,
    confidence: float,
) -> Advice:
    from analyzer.advice import Budget, advice, base_policy
    from analyzer.advice_position import round_alone

    budget, policy = Budget(worlds, seconds), base_policy(base)
    if round_only:
        position = round_alone(position)
    return advice(position, policy, budget, seed=seed, confidence=confidence)


# --- showing it ---------------------------------------------------------------------------------


def _show(found: Advice, explain: bool) -> None:
    emit(f"{_title(found)}\n")
    emit_table(_unit(found), [_row(found, rated) for rated in found.placements], words=("move",))
    emit(_ending(found))
    if explain:
        for line in _told(found):
            emit(line)


def _title(found: Advice) -> str:
    position = found.position
    told = [f"{in_words(position.rules)}: seat {position.seat} to play"]
    if position.by_highest:
        told.append("opened by the highest double")
    if position.rules.target is not None:
        from analyzer.referee.record import numbers

        told.append(f"scores {', '.join(map(str, numbers(position.scores)))} of {position.rules.target}")
    return ", ".join([*told, _method(found)])


def _method(found: Advice) -> str:
    if found.stopped == "exact":
        return "exact"
    worlds = "1 world" if found.worlds == 1 else f"{found.worlds:,} worlds"
    return f"{worlds} played on by {found.base}, seed {found.seed}"


def _unit(found: Advice) -> str:
    return "Chance to win, %" if found.position.rules.target is not None else "Points of the round"


def _row(found: Advice, rated: Any) -> dict[str, Any]:
    scale = 100 if found.position.rules.target is not None else 1

    def told(value: float | None) -> str | None:
        return None if value is None else f"{scale * value:.2f}"

    return {
        "move": str(rated.move),
        "estimate": told(rated.estimate),
        "low": told(rated.low),
        "high": told(rated.high),
        "gap": told(rated.gap),
        "gap_se": None if rated.gap_se is None else f"{rated.gap_se:.1f}",
        "p_best": f"{rated.p_best:.3f}",
    }


def _ending(found: Advice) -> str:
    from analyzer.advice import STOPPED

    interval = "" if found.stopped == "exact" else f" {found.confidence:.0%} intervals."
    return f"Stopped, since {STOPPED[found.stopped]}.{interval}"


def _told(found: Advice) -> list[str]:
    """Return the reasons as lines, those for the best placement first."""
    if not found.reasons:
        return [f"\n{found.best} is the only placement."]
    told = [f"\n{found.best} against {found.placements[1].move}"]
    for kind, head in _HEADS.items():
        told += [f"  {head:<11}{reason.text}" for reason in found.reasons if reason.speaks_for is kind]
    return told
