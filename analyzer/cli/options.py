"""The options that commands share, each defined once, and how they become rule sets and policies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from analyzer import house, rulesets
from analyzer.errors import FivesError, shown
from analyzer.policies import POLICIES, Policy, policy, seat_policies
from analyzer.rulesets import RuleSet
from reports.languages import LANGUAGES

DEFAULT_POLICY = "greedy"
DEFAULT_SEED = 1
DEFAULT_CONFIDENCE = 0.95
DEFAULT_TABLE = "summary"
DEFAULT_LANGUAGE = "en"
DEFAULT_DIALECT = "plain"
MOST_DIGITS = 40

_WHOLE = re.compile(r"[+-]?[0-9]+")


def whole_number(text: str | int) -> int:
    """Read a whole number as it is written in digits."""
    if isinstance(text, int):
        return text
    if not _WHOLE.fullmatch(text) or len(text) > MOST_DIGITS:
        raise typer.BadParameter(f"{shown(text)} is no whole number in digits")
    return int(text)


def output_path(text: str | Path) -> Path:
    """Read the path of an output; an empty one, as of an unset shell variable, names nothing."""
    if text == "":
        raise typer.BadParameter("the path is empty")
    return Path(text)


number = partial(typer.Option, parser=whole_number)
output_option = partial(typer.Option, parser=output_path)

RulesName = Annotated[
    str | None,
    typer.Argument(
        metavar="RULES",
        help=f"The rule set: {', '.join(rulesets.NAMES)}, or the path of a file of house rules.",
    ),
]
RulesFile = Annotated[
    Path | None,
    output_option("--rules", metavar="FILE", help="A file of house rules, in place of RULES."),
]
Players = Annotated[int, number("--players", metavar="N", help="Players: 2, 3 or 4.")]
PolicyNames = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="P",
        help=f"A policy: {', '.join(POLICIES)}. Once for all seats, once a side, or once a seat. "
        f"[default: {DEFAULT_POLICY}]",
    ),
]
PolicyFile = Annotated[
    Path | None,
    output_option("--policy-file", metavar="FILE", help="Policies of your own, in TOML, by name."),
]
Rounds = Annotated[
    int | None,
    number("--rounds", metavar="N", help="N independent rounds from 0-0, without a target."),
]
Games = Annotated[
    int | None,
    number("--games", metavar="N", help="N games, each played to the target."),
]
Seed = Annotated[int, number("--seed", metavar="S", help="The seed of all random draws.")]
FirstGame = Annotated[
    int,
    number("--first-game", metavar="G", help="The number of the first game or round."),
]
TileSet = Annotated[
    str | None, typer.Option("--set", metavar="SET", help="The tiles: double-six or double-nine.")
]
Target = Annotated[
    int | None,
    number("--target", metavar="POINTS", help="The target of a game in raw points."),
]
HandSize = Annotated[
    int | None,
    number("--hand-size", metavar="N", help="Tiles dealt to each seat."),
]
Sides = Annotated[
    str | None,
    typer.Option("--sides", metavar="SIDES", help="0,1,0,1 for partners, or none: each for themselves."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OutFile = Annotated[
    Path | None,
    output_option("--out", metavar="FILE", help="Write to FILE, whole or not at all."),
]
Threads = Annotated[
    int | None,
    number("--threads", metavar="T", help="Threads, 1 to 256. [default: all cores]"),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786, or local:N processes."
    ),
]
Confidence = Annotated[
    float, typer.Option("--confidence", metavar="C", help="The confidence of the intervals.")
]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        parser=output_path,
        metavar="DIR",
        help="Keep the run in DIR: manifest, progress, tables (CSV, Parquet).",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a run that the folder holds.")]
CsvDialect = Annotated[
    str,
    typer.Option(
        "--csv-dialect",
        metavar="NAME",
        help="How CSV is written: plain, or excel-fr (semicolons, decimal commas).",
    ),
]
ReportFile = Annotated[
    Path | None,
    output_option("--report", metavar="FILE", help="Write a page of the results, HTML, whole or not at all."),
]
Language = Annotated[
    str, typer.Option("--lang", metavar="L", help=f"The page's language: {', '.join(LANGUAGES)}.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]


class CommandWithCsv(TyperCommand):
    """A command whose `--csv` may stand alone or name a table.

    A word after `--csv` is its table unless it is an option, a rule set or a file of house rules; names of
    tables and of rule sets never meet.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_table_named(args))


def _with_table_named(args: Sequence[str]) -> list[str]:
    named: list[str] = []
    for place, word in enumerate(args):
        if word == "--":
            return [*named, *args[place:]]
        following = args[place + 1] if place + 1 < len(args) else "-"
        is_rules = following in rulesets.NAMES or house.is_file(following)
        alone = word == "--csv" and (following.startswith("-") or is_rules)
        named.append(f"--csv={DEFAULT_TABLE}" if alone else word)
    return named


def the_rules(name: str | None, file: Path | None = None) -> str:
    """Return the name of a rule set or the path of a file, from the one place where it is given."""
    if name is not None and file is not None:
        raise FivesError(f"the rule set is given twice, as {name} and with --rules: leave one of them out.")
    if name is None and file is None:
        raise FivesError("no rule set is given: name one, such as allfives, or a file of house rules.")
    return str(file) if name is None else name


def chosen_rules(
    name: str | None,
    *,
    file: Path | None = None,
    players: int = rulesets.DEFAULT_PLAYERS,
    tile_set: str | None = None,
    target: int | None = None,
    hand_size: int | None = None,
    sides: str | None = None,
    by_rounds: bool = False,
) -> RuleSet:
    """Return the rule set that the options describe; without a target where rounds are played.

    Parameters
    ----------
    name : of a rule set, or the path of a file of house rules.
    file : such a path, from --rules.

    Raises
    ------
    FivesError
        For an unknown rule set, a field out of range, or a target with rounds.
    """
    if by_rounds and target is not None:
        raise FivesError("--target is for games: rounds are played without one, so leave it out.")
    rules = house.rules_of(
        the_rules(name, file),
        players=players,
        set=tile_set,
        hand=hand_size,
        target=target,
        sides=_sides(sides, players),
    )
    return rules.replace(target=None) if by_rounds else rules


def _sides(text: str | None, players: int) -> tuple[int, ...] | None:
    if text is None:
        return None
    if text == "none":
        return tuple(range(players)) if players in rulesets.PLAYERS else None
    try:
        return tuple(int(side) for side in text.split(","))
    except ValueError:
        raise FivesError(f"sides is {text!r}: it must be 0,1,0,1 or none.") from None


def named_policies(names: Sequence[str], file: Path | None) -> list[Policy]:
    """Return policies by their names, those of a policy file among them; FivesError for an unknown name."""
    more: dict[str, Policy] = {}
    if file is not None:
        from analyzer.policy_file import read_policies

        more = read_policies(file)
    return [policy(name, more) for name in names]


def chosen_policies(names: Sequence[str] | None, rules: RuleSet, file: Path | None = None) -> list[Policy]:
    """Return the policy of each seat, all greedy where none is named; FivesError for a wrong number.

    Parameters
    ----------
    file : of more policies that may be named.
    """
    return list(seat_policies(named_policies(names or [DEFAULT_POLICY], file), rules.sides))
