"""`fives compare`: policies on the same deals in every seating, and which is better by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analyzer import limits, registry, stopping
from analyzer.cli import dealt, options
from analyzer.cli.running import Page, check_printing, run_and_print
from analyzer.errors import FivesError
from analyzer.policies import POLICIES
from analyzer.rulesets import DEFAULT_PLAYERS
from analyzer.sequential import DEFAULT_RISK, Sprt

if TYPE_CHECKING:
    from analyzer.stopping import UntilWidth

TABLES = registry.tables_of("compare")
GAME, ROUND = "game", "round"


def compare(
    rules: options.RulesName = None,
    *,
    rules_file: options.RulesFile = None,
    deals: Annotated[
        int, options.number("--deals", metavar="N", help="N deals, each played in every seating.")
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="P", help=f"Two or more of {', '.join(POLICIES)}."),
    ] = None,
    policy_file: options.PolicyFile = None,
    per: Annotated[
        str, typer.Option("--per", metavar="UNIT", help="A deal is a game to the target, or one round.")
    ] = GAME,
    players: options.Players = DEFAULT_PLAYERS,
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
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop when this sequential test is decided."),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", help=f"Its risk of accepting ELO1 wrongly. [default: {DEFAULT_RISK:g}]"),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option("--beta", help=f"Its risk of accepting ELO0 wrongly. [default: {DEFAULT_RISK:g}]"),
    ] = None,
    until_width: Annotated[
        float | None,
        typer.Option("--until-width", metavar="W", help="Stop when the metric's intervals are W wide."),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="M",
            help=f"For --until-width: {', '.join(stopping.METRICS)}. [default: {stopping.METRICS[0]}]",
        ),
    ] = None,
    control: Annotated[
        bool, typer.Option("--control", help="Refused: seats are swapped, so there is nothing to control.")
    ] = False,
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
    """Play the same deals with every pair of policies in every seating, and say which is better."""
    if control:
        raise FivesError(
            "--control is for simulate: here each policy sits in every seat of a deal, which removes the "
            "luck of the hands already, so leave it out."
        )
    limits.check_threads(threads)
    page = Page(report, lang, csv_dialect)
    check_printing("compare", json, csv, page)
    rule_set = options.chosen_rules(
        rules,
        file=rules_file,
        players=players,
        tile_set=tile_set,
        target=target,
        hand_size=hand_size,
        sides=sides,
        by_rounds=per == ROUND,
    )
    start = dealt.chosen_given(rule_set, hand, boneyard, opener, scores, given)
    test, until = _sprt(sprt, alpha, beta), _until(until_width, metric)
    from analyzer.compare import comparison

    plan = comparison(
        rule_set,
        options.named_policies(policy or (), policy_file),
        deals=deals,
        per=per,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
        sprt=test,
        until=until,
        given=start,
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


def _sprt(text: str | None, alpha: float | None, beta: float | None) -> Sprt | None:
    """Return the test that the options describe."""
    if text is None:
        if alpha is not None or beta is not None:
            raise FivesError("--alpha and --beta are risks of a test: give --sprt ELO0,ELO1 too.")
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise FivesError(f"sprt is {text!r}: give two numbers of Elo, such as 0,10.") from None
    return Sprt(elo0, elo1, DEFAULT_RISK if alpha is None else alpha, DEFAULT_RISK if beta is None else beta)


def _until(width: float | None, metric: str | None) -> UntilWidth | None:
    """Return the width to reach that the options describe."""
    if width is None:
        if metric is not None:
            raise FivesError("--metric says whose interval to narrow: give --until-width W too.")
        return None
    return stopping.UntilWidth(width, metric or stopping.METRICS[0])
