"""The lines that repeat a run: the shell command of its settings, or Python where no command has them."""

from __future__ import annotations

import pprint
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyzer import grid, rulesets
from analyzer.folders import PAGE
from analyzer.policies import POLICIES, Policy
from analyzer.rulesets import RuleSet, changes_of

if TYPE_CHECKING:
    from analyzer.given import Given
    from analyzer.plans import Plan
    from analyzer.report_stakes import Stakes
    from analyzer.tune import Tuning

Words = list[str]
_OPTION_OF = {"target": "--target", "hand": "--hand-size", "sides": "--sides"}
_PAGE_OPTION_OF = {"language": "--lang", "csv_dialect": "--csv-dialect"}
_DEFAULT_CONFIDENCE = 0.95


def run_line(plan: Plan, page: Mapping[str, str], stakes: Stakes | None = None) -> str:
    """Return what plays a plan again and writes its page.

    Parameters
    ----------
    page : the options of the page that are not the usual ones, as for `analyzer.report.report`.
    stakes : of a section on stakes, which `fives report` alone writes.

    Returns
    -------
    str
        One shell line, or Python lines where the rules or a policy are none that options can name.
    """
    command = _command_of(plan)
    if command is None:
        return _python_of(plan, page, stakes)
    if stakes is not None:
        return f"{shlex.join(['fives', *command, '--out', 'DIR'])}\n{page_line(page, stakes)}"
    return shlex.join(["fives", *command, "--report", PAGE, *page_options(page)])


def page_line(page: Mapping[str, str], stakes: Stakes | None = None) -> str:
    """Return the shell line that writes a page from the folder that keeps the run."""
    played_for = [] if stakes is None else stakes.options
    return shlex.join(["fives", "report", "DIR", *played_for, "--out", PAGE, *page_options(page)])


def page_options(page: Mapping[str, str]) -> Words:
    """Return the options of a page as words of a command."""
    return [word for name, value in page.items() for word in (_PAGE_OPTION_OF[name], value)]


def check_line(plan: Plan) -> str | None:
    """Return the shell lines that write down the first game of a plan and replay it; None: no command can."""
    if plan.command not in ("simulate", "openings"):
        return None
    seated: Any = plan
    named = _seated(seated)
    if named is None:
        return None
    first = ["--first-game", str(seated.first_game), "--seed", str(seated.seed)]
    trace = ["fives", "trace", *named, f"--{seated.unit}", "1", *first, "--out", "game.jsonl"]
    return f"{shlex.join(trace)}\nfives verify game.jsonl"


def tuning_line(tuning: Tuning, page: Mapping[str, str]) -> str:
    """Return the shell lines that tune like this again and write the page.

    FILE stands for a file of policies and RULES for one of house rules, where options cannot name them.
    """
    rules = _rules(tuning.rules)
    if rules is None:
        rules = ["RULES", "--players", str(tuning.rules.players)]
    named = _are_named([tuning.rival, tuning.start])
    words = [*rules, *([] if named else ["--policy-file", "FILE"])]
    words += ["--against", tuning.rival.name, "--start", tuning.start.name, "--name", tuning.name]
    words += ["--features", ",".join(tuning.features), "--seed", str(tuning.seed)]
    words += ["--deals", str(tuning.deals), "--generations", str(tuning.generations)]
    words += ["--check", str(tuning.check), "--out", "DIR"]
    return f"{shlex.join(['fives', 'tune', *words])}\n{page_line(page)}"


def tuning_check_line(tuning: Tuning) -> str | None:
    """Return the shell lines that write down and replay a game of the tuned policy; None: no command can."""
    rules = _rules(tuning.rules)
    if rules is None or not _are_named([tuning.rival]):
        return None
    names = [tuning.name, *[tuning.rival.name] * (tuning.rules.side_count - 1)]
    policies = [word for name in names for word in ("--policy", name)]
    trace = ["fives", "trace", *rules, "--policy-file", "DIR/policy.toml", *policies, "--games", "1"]
    first = ["--first-game", str(tuning.first_check), "--seed", str(tuning.seed), "--out", "game.jsonl"]
    return f"{shlex.join([*trace, *first])}\nfives verify game.jsonl"


# --- shell --------------------------------------------------------------------------------------


def _command_of(plan: Plan) -> Words | None:
    makers: dict[str, Callable[[Any], Words | None]] = {
        "simulate": _simulate,
        "openings": _openings,
        "race": _race,
        "compare": _compare,
        "sweep": _sweep,
    }
    named = makers[plan.command](plan) if plan.command in makers else None
    return None if named is None else [plan.command, *named, *_numbers(plan)]


def _simulate(plan: Any) -> Words | None:
    named = _seated(plan)
    if named is None:
        return None
    return [*named, f"--{plan.unit}", str(plan.count), *(["--control"] if plan.control else [])]


def _openings(plan: Any) -> Words | None:
    named = _seated(plan)
    return None if named is None else [*named, "--rounds", str(plan.count)]


def _race(plan: Any) -> Words | None:
    """Return the words of a race; None without stands where the command would take the last two scores."""
    named = _seated(plan)
    if named is None or (not plan.stands and plan.rules.target_kind == "exact"):
        return None
    pairs = [f"--from={_scores(plan, pair)}" for pair in plan.pairs]
    stands = [f"--stand={_scores(plan, pair)}" for pair in plan.stands]
    return [*named, "--rounds", str(plan.count), *pairs, *stands]


def _scores(plan: Any, pair: Sequence[int]) -> str:
    """Return raw scores as a race shows them, which is how its options take them."""
    return ",".join(str(raw // plan.grid.shown) for raw in pair)


def _compare(plan: Any) -> Words | None:
    rules = _rules(plan.rules)
    if rules is None or not _are_named(plan.policies):
        return None
    settings = plan.settings()
    policies = [word for policy in plan.policies for word in ("--policy", policy.name)]
    found = [*rules, *policies, *_given(plan), "--deals", str(plan.deals), "--per", plan.per]
    if settings["sprt"] is not None:
        test = settings["sprt"]
        found += [f"--sprt={test['elo0']!r},{test['elo1']!r}"]
        found += ["--alpha", repr(test["alpha"]), "--beta", repr(test["beta"])]
    if settings["until_width"] is not None:
        until = settings["until_width"]
        found += ["--until-width", repr(until["width"]), "--metric", until["metric"]]
    return found


def _sweep(plan: Any) -> Words | None:
    if not all(_are_named(cell.policies) for cell in plan.cells):
        return None
    base = plan.cells[0]
    axes: dict[str, dict[str, None]] = {field: {} for field in base.values}
    for cell in plan.cells:
        for field, value in cell.values.items():
            axes[field][_as_word(field, value)] = None
    found = [base.rules.name]
    for field, values in axes.items():
        found += ["--vary", f"{field}={','.join(values)}"]
    for field, value in _base_fields(plan).items():
        found += ["--base", f"{field}={value}"]
    if grid.POLICY not in axes:
        found += _policies(base.policies, base.rules)
    return [*found, "--metric", plan.metric, f"--{plan.unit}", str(plan.count)]


def _as_word(field: str, value: Any) -> str:
    if field == "sides" and not isinstance(value, str):
        return grid.PARTNERS if len(set(value)) < len(value) else grid.SINGLE
    return str(value)


def _base_fields(plan: Any) -> dict[str, str]:
    """Return the fields that are not varied and differ from the named set's own in any cell."""
    found: dict[str, str] = {}
    for cell in plan.cells:
        rules = cell.rules
        named = rulesets.rule_set(rules.name)
        changed = {
            field: getattr(rules, field) for field in changes_of(rules) if getattr(rules, field) is not None
        }
        changed |= {
            field: getattr(rules, field)
            for field in ("players", "set")
            if getattr(rules, field) != getattr(named, field)
        }
        found |= {
            field: _as_word(field, value) for field, value in changed.items() if field not in cell.values
        }
    return found


def _seated(plan: Any) -> Words | None:
    rules = _rules(plan.rules)
    if rules is None or not _are_named(plan.policies):
        return None
    return [*rules, *_policies(plan.policies, plan.rules), *_given(plan)]


def _given(plan: Any) -> Words:
    """Return what is given of the first round and the scores at the start."""
    given: Given | None = getattr(plan, "given", None)
    if given is None:
        return []
    found = []
    for seat, hand in enumerate(given.as_dict()["hands"]):
        found += ["--hand", f"{seat}={' '.join(hand)}"] if hand else []
    if given.boneyard:
        found += ["--boneyard", " ".join(given.as_dict()["boneyard"])]
    if given.opener is not None:
        found += ["--opener", str(given.opener)]
    if given.scores is not None:
        found += [f"--scores={','.join(map(str, given.scores))}"]
    return [*found, *(["--given", given.condition] if given.condition is not None else [])]


def _rules(rules: RuleSet) -> Words | None:
    """Return a rule set as words of a command; None where a field has no option."""
    changed = {
        field: getattr(rules, field) for field in changes_of(rules) if getattr(rules, field) is not None
    }
    if not set(changed) <= set(_OPTION_OF):
        return None
    found = [rules.name, "--players", str(rules.players)]
    if rules.set != rulesets.rule_set(rules.name).set:
        found += ["--set", rules.set]
    for field, value in changed.items():
        word = ",".join(map(str, value)) if field == "sides" else str(value)
        found += [_OPTION_OF[field], word]
    return found


def _are_named(policies: Sequence[Policy]) -> bool:
    return all(POLICIES.get(policy.name) == policy for policy in policies)


def _policies(policies: Sequence[Policy], rules: RuleSet) -> Words:
    """Return the policies of the seats: one for all, one a side, or one a seat."""
    names = [policy.name for policy in policies]
    by_side = dict(zip(rules.sides, names, strict=True))
    if len(set(names)) == 1:
        names = names[:1]
    elif all(by_side[side] == name for side, name in zip(rules.sides, names, strict=True)):
        names = [by_side[side] for side in sorted(by_side)]
    return [word for name in names for word in ("--policy", name)]


def _numbers(plan: Any) -> Words:
    found = ["--seed", str(plan.seed)]
    if plan.first_game:
        found += ["--first-game", str(plan.first_game)]
    if plan.confidence != _DEFAULT_CONFIDENCE:
        found += ["--confidence", repr(plan.confidence)]
    return found


# --- Python -------------------------------------------------------------------------------------


def _python_of(plan: Any, page: Mapping[str, str], stakes: Stakes | None) -> str:
    """Return Python lines that play a plan from its settings and write its page."""
    settings = pprint.pformat({"command": plan.command, **plan.settings()}, width=88, sort_dicts=False)
    options = "".join(f", {name}={value!r}" for name, value in page.items())
    options += "" if stakes is None else f", stakes=fives.{stakes!r}"
    return f"import fives\n\nsettings = {settings}\nfives.report(fives.repeat(settings), {PAGE!r}{options})"
