"""`fives openings`: which lead is best, each tile of the opener's hand led on the same deals."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer import limits, registry
from analyzer.cli import options
from analyzer.cli.running import Page, check_printing, run_and_print
from analyzer.rulesets import DEFAULT_PLAYERS

TABLES = registry.tables_of("openings")


def openings(
    rules: options.RulesName = None,
    *,
    rules_file: options.RulesFile = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="N deals, each played once with every lead.")
    ],
    players: options.Players = DEFAULT_PLAYERS,
    policy: options.PolicyNames = None,
    policy_file: options.PolicyFile = None,
    seed: options.Seed = options.DEFAULT_SEED,
    threads: options.Threads = None,
    cluster: options.Cluster = None,
    first_game: options.FirstGame = 0,
    tile_set: options.TileSet = None,
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
    """Play each deal once with every tile of the opener's hand as the lead, and compare the leads."""
    limits.check_threads(threads)
    page = Page(report, lang, csv_dialect)
    check_printing("openings", json, csv, page)
    rule_set = options.chosen_rules(
        rules,
        file=rules_file,
        players=players,
        tile_set=tile_set,
        hand_size=hand_size,
        sides=sides,
        by_rounds=True,
    )
    policies = options.chosen_policies(policy, rule_set, policy_file)
    from analyzer.openings import openings_plan

    plan = openings_plan(
        rule_set, policies, rounds=rounds, seed=seed, first_game=first_game, confidence=confidence
    )
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
