"""`fives race`: the chance to win from every pair of scores, and at which score it is better to stand."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Annotated

import typer

from analyzer import limits, registry
from analyzer.cli import options
from analyzer.cli.running import Page, check_printing, run_and_print
from analyzer.errors import FivesError, shown
from analyzer.race_grid import RaceGrid, check_race
from analyzer.rulesets import DEFAULT_PLAYERS, RuleSet

TABLES = registry.tables_of("race")
_PAIR = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*")


def race(
    rules: options.RulesName = None,
    *,
    rules_file: options.RulesFile = None,
    rounds: Annotated[
        int | None,
        options.number(
            "--rounds",
            metavar="N",
            help="N rounds of each opener. [default: 20000, or 1000 where a policy looks at the scores]",
        ),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="A,B", help="Own and other score of the summary. [default: 0,0]"),
    ] = None,
    stand: Annotated[
        list[str] | None,
        typer.Option("--stand", metavar="A,B", help="Two own scores: is it better to stand at A or at B?"),
    ] = None,
    players: options.Players = DEFAULT_PLAYERS,
    policy: options.PolicyNames = None,
    policy_file: options.PolicyFile = None,
    seed: options.Seed = options.DEFAULT_SEED,
    threads: options.Threads = None,
    cluster: options.Cluster = None,
    first_game: options.FirstGame = 0,
    tile_set: options.TileSet = None,
    target: options.Target = None,
    hand_size: options.HandSize = None,
    sides: options.Sides = None,
    confidence: options.Confidence = options.DEFAULT_CONFIDENCE,
    json: options.AsJson = False,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="[TABLE]", help=f"Print a table as CSV: {', '.join(TABLES)}."),
    ] = None,
    csv_dialect: options.CsvDialect = options.DEFAULT_DIALECT,
    out: options.OutFolder = None,
    force: options.Force = False,
    report: options.ReportFile = None,
    lang: options.Language = options.DEFAULT_LANGUAGE,
    quiet: options.Quiet = False,
) -> None:
    """Find the chance to win the game from every pair of scores, by who opens the next round."""
    limits.check_threads(threads)
    page = Page(report, lang, csv_dialect)
    check_printing("race", json, csv, page)
    rule_set = options.chosen_rules(
        rules,
        file=rules_file,
        players=players,
        tile_set=tile_set,
        target=target,
        hand_size=hand_size,
        sides=sides,
    )
    policies = options.chosen_policies(policy, rule_set, policy_file)
    check_race(rule_set, policies)
    from analyzer.race import race_plan

    plan = race_plan(
        rule_set,
        policies,
        rounds=rounds,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
        pairs=_pairs("--from", from_, rule_set) or ((0, 0),),
        stands=_pairs("--stand", stand, rule_set) or None,
    )
    plan = dataclasses.replace(plan, threads=threads)
    run_and_print(
        plan,
        threads=threads,
        cluster=cluster,
        json=json,
        csv=csv,
        out=out,
        force=force,
        quiet=quiet,
        page=page,
    )


def _pairs(option: str, texts: Sequence[str] | None, rules: RuleSet) -> list[tuple[int, int]]:
    """Return pairs of scores in raw points from texts in points as they are shown."""
    shown_points = RaceGrid.of(rules).shown
    pairs = []
    for text in texts or ():
        match = _PAIR.fullmatch(text)
        if match is None:
            raise FivesError(f"{option} is {shown(text)}: give two scores such as 40,55.")
        pairs.append((int(match[1]) * shown_points, int(match[2]) * shown_points))
    return pairs
