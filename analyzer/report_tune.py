"""What the page of a tuning is made of: what its folder keeps, as tables, and how to repeat it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas

from analyzer.errors import FivesError
from analyzer.folders import resume_command
from analyzer.manifest import signature_of
from analyzer.report_lines import page_line, tuning_check_line, tuning_line
from analyzer.report_material import changes_told, rules_on_record
from analyzer.seatings import Seatings
from analyzer.stats import wilson_interval
from analyzer.tune import CONFIDENCE, Tuning
from analyzer.tune_folder import opened
from analyzer.tune_search import SPREAD
from reports.material import Material
from reports.record import Record
from reports.told import rules_told
from reports.words import Words


@dataclass(frozen=True)
class SavedTuning:
    """A complete tuning as its folder keeps it.

    Attributes
    ----------
    found : what came out, as `analyzer.tune.Tuned.kept` has it.
    past : of each generation its candidates and their wins.
    origin : what played it: versions, the version of the random streams, the digest of the kernels.
    """

    tuning: Tuning
    found: Mapping[str, Any]
    past: Sequence[Mapping[str, Any]]
    origin: Mapping[str, Any]


def saved_tuning(path: Path) -> SavedTuning:
    """Return what a folder's tuning found.

    Raises
    ------
    FivesError
        Where it is not complete (it says how to go on), or is damaged, in use, or comes from another version.
    """
    from analyzer.tune_folder import origin

    with opened(path) as folder:
        if folder.found is None:
            done, count = len(folder.past), folder.tuning.generations
            raise FivesError(
                f"{path} is not complete, {done:,} of its {count:,} generations are kept: go on with "
                f"{resume_command(path)}."
            )
        return SavedTuning(folder.tuning, folder.found, folder.past, origin())


def material_of_tuning(saved: SavedTuning, words: Words) -> Material:
    """Return the tables of a tuning with the facts that its figures tell, in a language."""
    tuning, settings = saved.tuning, saved.tuning.settings()
    return Material(
        command="tune",
        rules=settings["rules"],
        rules_told=rules_told(settings["rules"], changes_told(tuning.rules), words),
        policies=(tuning.name, tuning.rival.name),
        unit="deals",
        done=tuning.check,
        seed=tuning.seed,
        confidence=CONFIDENCE,
        summary=pandas.DataFrame(saved.found["summary"]),
        tables={
            "weights": pandas.DataFrame(weight_rows(tuning, saved.found["weights"])),
            "generations": pandas.DataFrame(generation_rows(saved)),
            "pairs": pandas.DataFrame(saved.found["pairs"]),
        },
        facts={name: settings[name] for name in ("name", "deals", "generations", "check", "features")}
        | {"rival": tuning.rival.name, "start": tuning.start.name, "population": len(saved.past[0]["wins"])},
    )


def weight_rows(tuning: Tuning, weights: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return one row a tuned feature: its weight, its weight at the start, and how much either counts.

    A feature counts its weight times how far it typically differs between placements (`SPREAD`), as a part of
    the length of all: these are the coordinates of the search, and their squares sum to 1.
    """
    begin = tuning.start.weights
    lengths = [
        math.hypot(*(given.get(feature, 0) * SPREAD[feature] for feature in tuning.features))
        for given in (weights, begin)
    ]
    rows = []
    for feature in tuning.features:
        now, before = (
            given.get(feature, 0) * SPREAD[feature] / length if length else 0.0
            for given, length in zip((weights, begin), lengths, strict=True)
        )
        rows.append(
            {"feature": feature, "weight": weights.get(feature, 0), "counts": now, "counts_at_start": before}
        )
    return sorted(rows, key=lambda row: -abs(row["counts"]))


def generation_rows(saved: SavedTuning) -> list[dict[str, Any]]:
    """Return one row a generation, with the intervals of one candidate's games.

    The candidates of a generation meet the same deals, so their mean is at most as unsure as one of them:
    Wilson's interval of the games that one candidate plays is the widest that it needs.
    """
    seatings = Seatings(saved.tuning.rules.side_count).count
    rows = []
    for row, past in zip(saved.found["generations"], saved.past, strict=True):
        found = {"generation": row["generation"], "deals": row["deals"], "candidates": len(past["wins"])}
        for name in ("mean", "best"):
            low, high = wilson_interval(row[name], row["deals"] * seatings, CONFIDENCE)
            found |= {name: row[name], f"{name}_low": low, f"{name}_high": high}
        rows.append({**found, "step": row["step"]})
    return rows


def record_of_tuning(saved: SavedTuning, page: Mapping[str, str]) -> Record:
    """Return what is on record of a tuning; its folder keeps no times.

    Parameters
    ----------
    page : the options of the page that are not the usual ones, as for `analyzer.report.report`.
    """
    tuning, origin = saved.tuning, saved.origin
    return Record(
        rules=tuple(rules_on_record(tuning.rules)),
        run_line=tuning_line(tuning, page),
        page_line=page_line(page),
        check_line=tuning_check_line(tuning),
        signature=signature_of(tuning.settings()["rules"]),
        versions=origin["versions"],
        streams=origin["random_stream_version"],
        kernels=origin["kernel_digest"],
        started=None,
        finished=None,
        seconds=None,
    )
