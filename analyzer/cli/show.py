"""`fives show`: one round turn by turn, in the terminal or as a page of dominoes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyzer import house, limits, rulesets
from analyzer.cli import dealt, options
from analyzer.cli.output import tell
from analyzer.errors import FivesError, unknown
from analyzer.rulesets import DEFAULT_PLAYERS

if TYPE_CHECKING:
    from analyzer.given import Given
    from analyzer.policies import Policy
    from analyzer.rulesets import RuleSet
    from analyzer.showing import Recorded
    from reports.board.story import Story

STDIN = "-"
_BUILDING = {
    "players": "--players",
    "policy": "--policy",
    "policy_file": "--policy-file",
    "seed": "--seed",
    "first_game": "--first-game",
    "tile_set": "--set",
    "target": "--target",
    "hand_size": "--hand-size",
    "sides": "--sides",
    "hand": "--hand",
    "boneyard": "--boneyard",
    "opener": "--opener",
    "scores": "--scores",
    "given": "--given",
}


def show(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="TRACE|RULES",
            help="A file of traces, - for stdin; or a rule set or a file of house rules (.toml), "
            "whose game is played first.",
        ),
    ] = None,
    game: Annotated[
        int | None,
        options.number("--game", metavar="G", help="The game of the file. [default: its first]"),
    ] = None,
    round_: Annotated[int, options.number("--round", metavar="R", help="The round of the game.")] = 0,
    turn: Annotated[
        int | None, options.number("--turn", metavar="T", help="Show this turn alone. [default: all]")
    ] = None,
    html: Annotated[
        Path | None,
        options.output_option("--html", metavar="FILE", help="Write a page that steps through the round."),
    ] = None,
    rules_file: options.RulesFile = None,
    players: options.Players = DEFAULT_PLAYERS,
    policy: options.PolicyNames = None,
    policy_file: options.PolicyFile = None,
    seed: options.Seed = options.DEFAULT_SEED,
    first_game: options.FirstGame = 0,
    tile_set: options.TileSet = None,
    target: options.Target = None,
    hand_size: options.HandSize = None,
    sides: options.Sides = None,
    hand: dealt.Hands = None,
    boneyard: dealt.Boneyard = None,
    opener: dealt.Opener = None,
    scores: dealt.Scores = None,
    given: dealt.Condition = None,
) -> None:
    """Show a round turn by turn, here or as a page of dominoes.

    The game comes from a file of traces, or is played first.
    """
    if html is not None and turn is not None:
        raise FivesError("--turn is for the terminal: a page holds all turns, so leave it out.")
    if html is not None:
        _check_page(html)
    if rules_file is not None or _is_rules(source):
        _refuse_game(game)
        limits.check_seed(seed)
        limits.check_first_game(first_game, 1)
        rules = options.chosen_rules(
            source,
            file=rules_file,
            players=players,
            tile_set=tile_set,
            target=target,
            hand_size=hand_size,
            sides=sides,
        )
        policies = options.chosen_policies(policy, rules, policy_file)
        start = dealt.chosen_given(rules, hand, boneyard, opener, scores, given)
        recorded = _played(rules, policies, seed, first_game, start)
    else:
        _refuse_building(ctx)
        recorded = _read(source, game)
    from analyzer.showing import round_story

    story = round_story(recorded, round_)
    if html is not None:
        _write(story, html)
    else:
        from analyzer.cli.telling import print_story

        print_story(story, turn=turn, games=recorded.games)


def _check_page(path: Path) -> None:
    """Refuse to write over a file that is no page, such as the traces themselves."""
    from analyzer import runs
    from reports.board.page import START

    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            start = file.read(len(START))
    except OSError as error:
        raise runs.cannot_read(path, error) from error
    if start not in (b"", START.encode()):
        raise FivesError(f"{path} holds something else than such a page: choose another name.")


def _is_rules(source: str | None) -> bool:
    return source is not None and (source in rulesets.NAMES or source.endswith(house.SUFFIX))


def _refuse_game(game: int | None) -> None:
    if game is not None:
        raise FivesError("--game picks a game of a file: with a rule set name it with --first-game.")


def _refuse_building(ctx: Any) -> None:
    """Refuse options about a game to be played where a file holds one."""
    for name, flag in _BUILDING.items():
        if ctx.get_parameter_source(name).name != "DEFAULT":
            raise FivesError(
                f"{flag} is for a game that is played first: a file has its own, so leave it out."
            )


def _played(
    rules: RuleSet, policies: Sequence[Policy], seed: int, game: int, start: Given | None
) -> Recorded:
    from analyzer.showing import recorded_game
    from analyzer.traces import traces

    return recorded_game(next(traces(rules, policies, seed=seed, first_game=game, given=start)))


def _read(source: str | None, game: int | None) -> Recorded:
    from analyzer.showing import find_game

    if source is None:
        raise FivesError("nothing is given to show: name a file of traces, or a rule set such as allfives.")
    if source != STDIN and not Path(source).exists() and Path(source).name == source and "." not in source:
        raise unknown("file or rule set", source, rulesets.NAMES)
    return find_game(Path(source), game)


def _write(story: Story, path: Path) -> None:
    from analyzer import runs
    from reports.board.page import board_page

    page = board_page(story)
    with runs.replacing(path) as file:
        file.write(page)
    rounds = "1 round" if story.rounds == 1 else f"{story.rounds:,} rounds"
    tell(f"wrote round {story.round} of game {story.game}, which has {rounds}, to {path}.")
