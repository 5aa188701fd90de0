"""`fives trace`: whole games written down, one JSON object a line, to be replayed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from analyzer import limits, runs
from analyzer.cli import dealt, options
from analyzer.cli.output import emit
from analyzer.referee.record import trace_line
from analyzer.rulesets import DEFAULT_PLAYERS


def trace(
    rules: options.RulesName = None,
    rules_file: options.RulesFile = None,
    players: options.Players = DEFAULT_PLAYERS,
    policy: options.PolicyNames = None,
    policy_file: options.PolicyFile = None,
    rounds: options.Rounds = None,
    games: options.Games = None,
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
    out: options.OutFile = None,
) -> None:
    """Write down the very games or rounds that simulate counts. Give either --rounds or --games."""
    options.the_rules(rules, rules_file)
    count = limits.run_size(rounds, games)
    limits.check_seed(seed)
    limits.check_first_game(first_game, count)
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

    def lines() -> Iterator[str]:
        from analyzer.traces import traces

        for record in traces(rule_set, policies, seed=seed, first_game=first_game, count=count, given=start):
            yield trace_line(record)

    _write(lines(), out)


def _write(lines: Iterator[str], out: Path | None) -> None:
    """Print the lines, or put them into a file that is there before the first game is played."""
    if out is None:
        for line in lines:
            emit(line)
        return
    with runs.replacing(out) as file:
        for line in lines:
            file.write(line + "\n")
