"""What a report is made of: the tables of a result, and what else is on record of its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.plans import Result
from analyzer.provenance import field_notes
from analyzer.report_lines import check_line, page_line, run_line
from analyzer.report_stakes import Stakes, stakes_told
from analyzer.rulesets import CHOICES_OF_FIELD, RuleSet, changes_of, rule_set
from analyzer.settings import rules_from
from reports.material import Material
from reports.record import Record, Rule
from reports.told import rules_told
from reports.words import Words


def material_of(result: Result, words: Words, stakes: Stakes | None = None) -> Material:
    """Return the tables of a result with the facts that its figures tell, in a language.

    Parameters
    ----------
    stakes : what they play for, told in a section of its own; FivesError as for `stakes_told`.
    """
    plan, settings = result.plan, result.plan.settings()
    rules = rules_from(settings["rules"])
    varied = set(settings["cells"][0]["values"]) if "cells" in settings else set()
    changed = {field: value for field, value in changes_told(rules).items() if field not in varied}
    return Material(
        command=plan.command,
        rules=settings["rules"],
        rules_told=rules_told(settings["rules"], changed, words),
        policies=tuple(policy["name"] for policy in settings["policies"]),
        unit=plan.unit,
        done=result.manifest["done"],
        seed=settings["seed"],
        confidence=settings["confidence"],
        summary=result.summary,
        tables=result.tables,
        facts=_facts(result.manifest) | ({} if stakes is None else {"stakes": stakes_told(result, stakes)}),
    )


def changes_told(rules: RuleSet) -> dict[str, Any]:
    """Return the fields by which a rule set differs from its name alone, the set of tiles among them."""
    named = rule_set(rules.name, players=rules.players)
    set_ = {"set": rules.set} if rules.set != named.set else {}
    return {**set_, **{field: value for field, value in changes_of(rules).items() if value is not None}}


def _facts(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest without what two runs of one experiment may differ in."""
    return {name: value for name, value in manifest.items() if name not in ("times", "files")}


def record_of(result: Result, page: Mapping[str, str], stakes: Stakes | None = None) -> Record:
    """Return what is on record of a run.

    Parameters
    ----------
    page : the options of the page that are not the usual ones, as for `analyzer.report.report`.
    stakes : of a section on stakes.
    """
    manifest = result.manifest
    rules = rules_from(result.plan.settings()["rules"])
    return Record(
        rules=tuple(rules_on_record(rules)),
        run_line=run_line(result.plan, page, stakes),
        page_line=page_line(page, stakes),
        check_line=check_line(result.plan),
        signature=manifest["signature"],
        versions=manifest["versions"],
        streams=manifest["random_stream_version"],
        kernels=manifest["kernel_digest"],
        started=manifest["times"]["started"],
        finished=manifest["times"]["finished"],
        seconds=manifest["times"]["seconds"],
    )


def rules_on_record(rules: RuleSet) -> list[Rule]:
    """Return every rule with its source; where its value is not the named set's own, that one too."""
    own = rule_set(rules.name, players=rules.players, set=rules.set).as_dict()
    found = []
    for note in field_notes(rules):
        is_own = note.value == own[note.name]
        found.append(
            Rule(
                name=note.name,
                value=_text(note.value),
                unit="" if note.name in CHOICES_OF_FIELD else note.unit,
                source=note.source,
                choice=note.choice,
                own=None if is_own else _text(own[note.name]),
            )
        )
    return found


def _text(value: object) -> str:
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
