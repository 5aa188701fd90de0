"""Tuning a policy's weights against another policy, kept in a folder generation by generation."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer import limits
from analyzer.errors import FivesError
from analyzer.ledger import Ledger
from analyzer.policies import Policy
from analyzer.policy_file import check_name
from analyzer.rulesets import RuleSet, changes_of, in_words, sets_of
from analyzer.settings import policy_from, rules_from

if TYPE_CHECKING:
    from analyzer.plans import Result
    from analyzer.tune_folder import TuningFolder
    from analyzer.tune_search import Search
    from analyzer.workers import Crew

CONFIDENCE = 0.95
Progress = Callable[[int, int], None]
Told = Callable[[str], None]


@dataclass(frozen=True)
class Tuning:
    """What is tuned, and how.

    Attributes
    ----------
    rival : the policy to beat.
    start : where the search begins; only the weights of `features` count.
    deals : a generation's; generation g has deals g * deals … of the seed.
    check : fresh deals of the final check, after those of all generations.
    name : of the policy that comes out.
    """

    rules: RuleSet
    rival: Policy
    start: Policy
    features: tuple[str, ...]
    seed: int
    deals: int
    generations: int
    check: int
    name: str

    def __post_init__(self) -> None:
        limits.check_seed(self.seed)
        limits.check_count("deals", self.deals)
        limits.check_count("generations", self.generations)
        limits.check_count("check", self.check)
        limits.check_first_game(0, self.first_check + self.check)
        check_name(self.name)
        if self.rules.target is None:
            raise limits.no_target()
        if len(self.features) < 2:
            raise FivesError("tuning needs two features or more: only the ratios of weights matter.")
        if "reply" in self.features and self.rules.highest_pip > 6:
            raise FivesError("reply leaves no room for large weights in this set: tune threat instead.")

    @property
    def first_check(self) -> int:
        """The first deal that no generation has."""
        return self.deals * self.generations

    def settings(self) -> dict[str, Any]:
        """Return all of it as plain JSON values."""
        return {
            "rules": self.rules.as_dict() | {"sides": list(self.rules.sides)},
            "rival": self.rival.as_dict(),
            "start": self.start.as_dict(),
            "features": list(self.features),
            "seed": self.seed,
            "deals": self.deals,
            "generations": self.generations,
            "check": self.check,
            "name": self.name,
        }

    def with_weights(self, weights: Mapping[str, int]) -> Policy:
        """Return the policy of these weights under the tuning's name."""
        return Policy(self.name, f"tuned for {self.rules.name} against {self.rival.name}", weights)


def from_settings(settings: Mapping[str, Any]) -> Tuning:
    """Return the tuning whose `settings()` these are."""
    plain = {field.name: settings[field.name] for field in dataclasses.fields(Tuning)}
    return Tuning(
        **plain
        | {
            "rules": rules_from(settings["rules"]),
            "rival": policy_from(settings["rival"]),
            "start": policy_from(settings["start"]),
            "features": tuple(settings["features"]),
        }
    )


@dataclass(frozen=True)
class Tuned:
    """What a tuning found.

    Attributes
    ----------
    policy : the weights in the middle of the last generation.
    generations : one row each: generation, deals, best, mean (win rates against the rival), step.
    check : the policy against the rival on fresh deals, as `compare` has it.
    """

    tuning: Tuning
    policy: Policy
    generations: list[dict[str, Any]]
    check: Result

    @property
    def edge(self) -> dict[str, Any]:
        """The win rate difference on the fresh deals, one row of the summary."""
        rows = self.check.summary_rows
        return next(row for row in rows if row["metric"] == "win_rate_difference")

    def recipe(self) -> dict[str, str | int | float]:
        """Return how the policy was made and what it is worth, for its file."""
        tuning, edge = self.tuning, self.edge
        return {
            "command": command_of(tuning),
            "rules": in_words(tuning.rules),
            "against": tuning.rival.name,
            "seed": tuning.seed,
            "check_first_game": tuning.first_check,
            "check_deals": tuning.check,
            "win_rate_difference": edge["estimate"],
            "low": edge["low"],
            "high": edge["high"],
            "confidence": CONFIDENCE,
        }

    def kept(self) -> dict[str, Any]:
        """Return what the folder keeps of it, as plain JSON values: weights, generations, the check."""
        return {
            "weights": dict(self.policy.weights),
            "generations": self.generations,
            "summary": self.check.summary_rows,
            "pairs": self.check.table_rows["pairs"],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "settings": self.tuning.settings(),
            "policy": self.policy.as_dict(),
            "recipe": self.recipe(),
            "generations": self.generations,
        }


def command_of(tuning: Tuning) -> str:
    """Return the command that tunes like this, but for the files that it may need."""
    rules = tuning.rules
    words = ["fives tune", rules.name, f"--players {rules.players}", *_changed(rules)]
    words += [f"--against {tuning.rival.name}", f"--start {tuning.start.name}", f"--seed {tuning.seed}"]
    words += [f"--deals {tuning.deals}", f"--generations {tuning.generations}", f"--check {tuning.check}"]
    return " ".join([*words, f"--features {','.join(tuning.features)}", f"--name {tuning.name}"])


def _changed(rules: RuleSet) -> list[str]:
    """Return the options for fields that differ from the named set's own."""
    changes = changes_of(rules)
    words = [f"--set {rules.set}"] if rules.set != sets_of(rules.name)[0] else []
    words += [
        f"{option} {changes[field]}"
        for field, option in (("target", "--target"), ("hand", "--hand-size"))
        if field in changes
    ]
    return words + ([f"--sides {','.join(map(str, rules.sides))}"] if "sides" in changes else [])


def tune(
    folder: TuningFolder,
    *,
    crew: Crew | None = None,
    progress: Progress | None = None,
    told: Told | None = None,
) -> Tuned:
    """Play what a tuning lacks, check the policy that comes out on fresh deals, and write it.

    Parameters
    ----------
    crew : who plays; None: threads of this process, one a core. The result does not depend on it.
    progress : called with (done, in all) deals now and then, of all generations and then of the check.
    told : called with a few words on each generation.
    """
    from analyzer.tune_search import Search
    from analyzer.workers import Threads

    crew = Threads() if crew is None else crew
    tuning = folder.tuning
    search = Search(tuning.features, tuning.start, tuning.seed)
    rows: list[dict[str, Any]] = []
    for number in range(tuning.generations):
        candidates = search.ask()
        if number == len(folder.past):
            wins = _play(tuning, number, candidates, crew, progress)
            folder.past.append({"candidates": candidates, "wins": wins})
            folder.keep()
        told_before = folder.past[number]
        if told_before["candidates"] != candidates:
            raise FivesError(
                f"the search in {folder.path} does not repeat itself on this machine: start afresh in "
                "another folder."
            )
        search.tell(told_before["wins"])
        rows.append(_row(tuning, number, told_before["wins"], search))
        if told is not None:
            told(f"best {rows[-1]['best']:.4f}, step {rows[-1]['step']:.3f}")
    policy = tuning.with_weights(search.centre())
    tuned = Tuned(tuning, policy, rows, _checked(tuning, policy, crew, progress, told))
    folder.finish(tuned)
    return tuned


def _play(
    tuning: Tuning,
    number: int,
    candidates: Sequence[Mapping[str, int]],
    crew: Crew,
    progress: Progress | None,
) -> list[list[int]]:
    """Return the wins of each candidate of a generation and of its rival."""
    from analyzer.tune_search import Generation

    work = Generation(
        tuning.rules, candidates, tuning.rival, tuning.seed, number * tuning.deals, tuning.deals
    )
    ledger = Ledger(work.none())

    def tick() -> None:
        if progress is not None:
            progress(number * work.games + ledger.games, tuning.generations * work.games)

    crew.play(work, (0, work.games), ledger, tick)
    wins: list[list[int]] = ledger.state()[1].tolist()
    return wins


def _row(tuning: Tuning, number: int, wins: Sequence[Sequence[int]], search: Search) -> dict[str, Any]:
    rates = [own / (own + other) for own, other in wins]
    return {
        "generation": number,
        "deals": tuning.deals,
        "best": max(rates),
        "mean": sum(rates) / len(rates),
        "step": search.step,
    }


def _checked(
    tuning: Tuning, policy: Policy, crew: Crew, progress: Progress | None, told: Told | None
) -> Result:
    """Return the comparison with the rival on deals that no generation had."""
    from analyzer.compare import comparison
    from analyzer.plans import execute

    if told is not None:
        told("checking on fresh deals")
    plan = comparison(
        tuning.rules,
        [policy, tuning.rival],
        deals=tuning.check,
        seed=tuning.seed,
        first_game=tuning.first_check,
        confidence=CONFIDENCE,
    )
    return execute(plan, crew=crew, progress=progress)
