"""`fives sweep`: one metric over a grid of rules and policies, every cell on the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analyzer import grid, house, limits, registry
from analyzer.cli import options
from analyzer.cli.running import Page, check_printing, run_and_print
from analyzer.errors import FivesError
from analyzer.rulesets import DEFAULT_PLAYERS

if TYPE_CHECKING:
    from pathlib import Path

TABLES = registry.tables_of("sweep")


def sweep(
    rules: options.RulesName = None,
    *,
    rules_file: options.RulesFile = None,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="FIELD=V,V,…",
            help="A field of the rule set, policy, or policy.SIDE, and its values, the base value first; "
            "50..500:50 counts up. May be given for several fields.",
        ),
    ],
    base: Annotated[
        list[str] | None,
        typer.Option(
            "--base", metavar="FIELD=V", help="A field of the rule set and its value in every cell."
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME[:SCOPE]",
            help="What is measured. [default: opener_advantage in rounds, first_mover_advantage in games]",
        ),
    ] = None,
    policy: options.PolicyNames = None,
    policy_file: options.PolicyFile = None,
    rounds: options.Rounds = None,
    games: options.Games = None,
    seed: options.Seed = options.DEFAULT_SEED,
    threads: options.Threads = None,
    cluster: options.Cluster = None,
    first_game: options.FirstGame = 0,
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
    """Measure one metric in every cell of a grid on the same deals. Give either --rounds or --games."""
    limits.check_threads(threads)
    page = Page(report, lang, csv_dialect)
    check_printing("sweep", json, csv, page)
    from analyzer.sweep import sweep_plan

    axes = [_axis(text, policy_file) for text in vary]
    settings = [grid.parse_setting(text) for text in base or ()]
    for field, _ in settings:
        if [name for name, _ in settings].count(field) > 1:
            raise FivesError(f"--base gives {field} twice: give it once.")
    chosen = dict(settings)
    name, own = house.sweep_base(
        options.the_rules(rules, rules_file),
        chosen.get("players", DEFAULT_PLAYERS),
        [field for field, _ in axes],
        by_games=games is not None,
    )
    plan = sweep_plan(
        name,
        axes,
        base={**own, **chosen},
        policies=options.named_policies(policy or [options.DEFAULT_POLICY], policy_file),
        rounds=rounds,
        games=games,
        metric=metric,
        seed=seed,
        first_game=first_game,
        confidence=confidence,
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


def _axis(text: str, policy_file: Path | None) -> grid.Axis:
    """Read an axis; the names of policies may be those of a file."""
    field, values = grid.parse_axis(text)
    if policy_file is None or field in grid.RULE_FIELDS:
        return field, values
    return field, list(options.named_policies(values, policy_file))
