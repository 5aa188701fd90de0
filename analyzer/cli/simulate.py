"""`fives simulate`: many rounds or games, and what they show."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer import limits, registry
from analyzer.cli import dealt, options
from analyzer.cli.running import Page, check_printing, run_and_print
from analyzer.errors import FivesError
from analyzer.rulesets import DEFAULT_PLAYERS

TABLES = registry.tables_of("simulate")


def simulate(
    rules: options.RulesName = None,
    rules_file: options.RulesFile = None,
    players: options.Players = DEFAULT_PLAYERS,
    policy: options.PolicyNames = None,
    policy_file: options.PolicyFile = None,
    rounds: options.Rounds = None,
    games: options.Games = None,
    seed: options.Seed = options.DEFAULT_SEED,
    threads: options.Threads = None,
    cluster: options.Cluster = None,
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
    confidence: options.Confidence = options.DEFAULT_CONFIDENCE,
    control: Annotated[
        bool,
        typer.Option("--control", help="Take the luck of the opener's deal out of the opener's metrics."),
    ] = False,
    rows: Annotated[
        str | None,
        typer.Option("--rows", metavar="KIND", help="Write a row of each to --out DIR: games or rounds."),
    ] = None,
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
    """Play many rounds or games and print what they show. Give either --rounds or --games."""
    options.the_rules(rules, rules_file)
    count = limits.run_size(rounds, games)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
    limits.check_threads(threads)
    limits.check_confidence(confidence)
    rule_set = options.chosen_rules(
        rules,
        file=rules_file,
        players=players,
        tile_set=tile_set,
        target=target,
        hand_size=hand_size,
        sides=sides,
        by_rounds=rounds is not None,
    )
    policies = options.chosen_policies(policy, rule_set, policy_file)
    start = dealt.chosen_given(rule_set, hand, boneyard, opener, scores, given)
    page = Page(report, lang, csv_dialect)
    check_printing("simulate", json, csv, page)
    if rows is not None and out is None:
        raise FivesError("--rows writes a file of the run's folder: name the folder with --out.")
    from analyzer.simulate import simulation

    plan = simulation(
        rule_set,
        policies,
        rounds=rounds,
        games=games,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
        control=control,
        given=start,
        rows=rows,
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
