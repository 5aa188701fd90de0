"""`fives tune`: a policy's weights tuned against another policy, and what that is worth on fresh deals."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer import limits
from analyzer.cli import options
from analyzer.cli.failures import Stopped
from analyzer.cli.output import emit, emit_json, emit_table, tell
from analyzer.cli.progress import progress_bar
from analyzer.cli.running import Interrupts, crew_of, lost
from analyzer.errors import FivesError
from analyzer.rulesets import DEFAULT_PLAYERS, in_words
from analyzer.workers import Crew, CrewLost

if TYPE_CHECKING:
    from analyzer.tune import Tuned
    from analyzer.tune_folder import TuningFolder

DEALS, GENERATIONS, CHECK = 2000, 60, 20_000
SHOWN = 5  # generations of the printed table, the last ones


def tune(
    against: Annotated[str, typer.Option("--against", metavar="P", help="The policy to beat.")],
    rules: options.RulesName = None,
    rules_file: options.RulesFile = None,
    out: options.OutFolder = None,
    players: options.Players = DEFAULT_PLAYERS,
    features: Annotated[
        str | None,
        typer.Option(
            "--features",
            metavar="F,F,…",
            help="The features that may weigh. [default: all that differ, but points and reply]",
        ),
    ] = None,
    start: Annotated[str, typer.Option("--start", metavar="P", help="The policy to start from.")] = "careful",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The tuned policy's name.")] = "tuned",
    policy_file: options.PolicyFile = None,
    seed: options.Seed = options.DEFAULT_SEED,
    deals: Annotated[int, options.number("--deals", metavar="N", help="N deals a generation.")] = DEALS,
    generations: Annotated[
        int, options.number("--generations", metavar="G", help="G generations.")
    ] = GENERATIONS,
    check: Annotated[
        int, options.number("--check", metavar="N", help="N fresh deals of the final check.")
    ] = CHECK,
    threads: options.Threads = None,
    cluster: options.Cluster = None,
    tile_set: options.TileSet = None,
    target: options.Target = None,
    hand_size: options.HandSize = None,
    sides: options.Sides = None,
    json: options.AsJson = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a tuning that the folder holds.")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Tune the weights of a policy on duplicate deals against another policy, and check it on fresh deals."""
    limits.check_threads(threads)
    if out is None:
        raise FivesError("tuning is kept in a folder: name it with --out DIR.")
    rule_set = options.chosen_rules(
        rules,
        file=rules_file,
        players=players,
        tile_set=tile_set,
        target=target,
        hand_size=hand_size,
        sides=sides,
    )
    rival, begin = options.named_policies([against, start], policy_file)
    from analyzer.tune import Tuning
    from analyzer.tune_folder import new_folder
    from analyzer.tune_search import named_features, start_point

    chosen = named_features(features, rule_set)
    tuning = Tuning(rule_set, rival, begin, chosen, seed, deals, generations, check, name)
    start_point(begin, chosen)
    with (
        crew_of(threads, cluster) as crew,  # before --force removes anything
        new_folder(out, tuning, force=force) as folder,
    ):
        run_and_print(folder, crew, json=json, quiet=quiet)


def go_on(path: Path, *, threads: int | None, cluster: str | None, json: bool, quiet: bool) -> None:
    """Go on with a tuning that was stopped."""
    from analyzer.tune_folder import opened

    with opened(path) as folder:
        if folder.is_complete:
            tell(f"{path} is complete: there is nothing left to play.")
            return
        with crew_of(threads, cluster) as crew:
            run_and_print(folder, crew, json=json, quiet=quiet)


def run_and_print(folder: TuningFolder, crew: Crew, *, json: bool, quiet: bool) -> None:
    """Play what a tuning lacks with progress, and print what it found."""
    from analyzer.folders import resume_command
    from analyzer.tune import tune as play
    from analyzer.tune_folder import POLICY

    try:
        with Interrupts() as interrupts, nullcontext() if quiet else progress_bar("deals") as bar:

            def follow(done: int, count: int) -> None:
                interrupts.check()
                if bar is not None:
                    bar.move(done, count)

            tuned = play(folder, crew=crew, progress=follow, told=None if bar is None else bar.tell)
    except KeyboardInterrupt as stop:
        done, count = len(folder.past), folder.tuning.generations
        raise Stopped(
            f"stopped: {done} of {count} generations are kept; go on with: {resume_command(folder.path)}"
        ) from stop
    except CrewLost as error:
        raise lost(error, folder.path) from error
    tell(f"wrote the policy to {folder.path / POLICY}.")
    if json:
        emit_json(tuned.to_dict())
    else:
        _print(tuned)


def _print(tuned: Tuned) -> None:
    tuning = tuned.tuning
    emit(
        f"{in_words(tuning.rules)}, against {tuning.rival.name}: {tuning.generations:,} generations of "
        f"{tuning.deals:,} deals, seed {tuning.seed}\n"
    )
    emit_table("The last generations", tuned.generations[-SHOWN:])
    weights = [{"feature": name, "weight": weight} for name, weight in tuned.policy.weights.items()]
    emit_table(f"Policy {tuning.name}", weights, words=("feature",))
    emit(_edge(tuned))


def _edge(tuned: Tuned) -> str:
    """Return in words what the fresh deals show."""
    tuning, edge = tuned.tuning, tuned.edge
    on = f"on {tuning.check:,} fresh deals in every seating"
    if tuning.rules.side_count > 2:
        return (
            f"{tuning.name} less {tuning.rival.name} {on}: wins per side held {edge['estimate']:+.4f}, 95 % "
            f"interval {edge['low']:+.4f} to {edge['high']:+.4f}."
        )
    rate, low, high = (100 * (1 + edge[column]) / 2 for column in ("estimate", "low", "high"))
    return (
        f"{tuning.name} wins {rate:.2f} % of its games with {tuning.rival.name} {on}, 95 % interval "
        f"{low:.2f} to {high:.2f} %."
    )
