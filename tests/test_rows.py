"""Rows of games and rounds: against traces and totals, whatever the threads, stopped and read back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from analyzer import rowfiles, rows, runs
from analyzer.folders import MANIFEST
from analyzer.given import Given, given
from analyzer.plans import Interrupted, execute
from analyzer.policies import seat_policies
from analyzer.resume import resume
from analyzer.rulesets import RuleSet, rule_set
from analyzer.saved import new_folder
from analyzer.simulate import Simulation, simulation
from analyzer.traces import traces
from tests.shell import fives, refusal

ROOT = Path(__file__).parents[1]
SEED, FIRST, GAMES = 3, 7, 40
GAME_RULES: dict[str, RuleSet] = {
    "exact61": rule_set("exact61", players=4, target=60),
    "two of three share": rule_set("allfives", players=3),
    "double-nine": rule_set("partout5", set="double-nine", players=3),
    "highest double": rule_set("block", players=2),
    "guard": rule_set("exact61", players=2).replace(round_guard=9),
    "given": rule_set("allfives", players=2, target=100),
}
RULES = GAME_RULES | {"single rounds": rule_set("allfives", players=3).replace(target=None)}
POLICIES = ("greedy", "random")


def policies_of(rules: RuleSet) -> tuple[Any, ...]:
    return seat_policies([POLICIES[seat % 2] for seat in range(rules.players)], rules.sides)


def start_of(name: str) -> Given | None:
    if name != "given":
        return None
    return given(RULES[name], hands={0: "6-6 5-5"}, opener=1, scores=[40, 60])


def plan_of_rules(name: str, games: int = GAMES) -> Simulation:
    rules = RULES[name]
    size = {"rounds": games} if rules.target is None else {"games": games}
    start = start_of(name)
    return simulation(rules, policies_of(rules), seed=SEED, first_game=FIRST, given=start, **size)


def found(name: str, kind: str, games: int = GAMES) -> pyarrow.Table:
    return pyarrow.concat_tables(rows.tables(plan_of_rules(name, games), kind, threads=2))


# --- the rows, from traces in obvious Python ----------------------------------------------------


def events_of(round_: dict[str, Any]) -> list[tuple[str, float, bool]]:
    """Return kind, net points and acceptance of each event with positive net points."""
    events = [
        ("play", turn["points"], turn["accepted"])
        for turn in round_["turns"]
        if turn["points"] and turn["accepted"] is not None
    ]
    kind = {"out": "out", "blocked": "block", "target": ""}[round_["end"]]
    events += [(kind, event["net"], event["accepted"]) for event in round_["settlement"]]
    return [event for event in events if event[1] > 0]


def counted(round_: dict[str, Any], in_game: bool) -> dict[str, Any]:
    """Return what a round adds to the columns that rows of games and of rounds share."""
    turns = round_["turns"]
    played = [turn for turn in turns if turn["move"] is not None]
    events = events_of(round_) if in_game else []
    lost = [event for event in events if not event[2]]
    # a turn that draws the boneyard empty in vain and so ends the round is no pass
    idle = len(turns) - len(played)
    in_vain = idle > 0 and round_["end"] == "blocked" and turns[-1]["move"] is None and turns[-1]["drawn"]
    credited = [event["credit"] - event["debit"] for event in round_["settlement"] if event["accepted"]]
    return {
        "plays": len(played),
        "draws": sum(len(turn["drawn"]) for turn in turns),
        "passes": idle - (1 if in_vain else 0),
        "points": sum(turn["points"] for turn in played),
        "scoring": sum(turn["points"] > 0 for turn in played),
        "settlement": sum(credited),
        **{f"events_{kind}": sum(e[0] == kind for e in events) for kind in ("play", "out", "block")},
        **{f"rejected_{kind}": sum(e[0] == kind for e in lost) for kind in ("play", "out", "block")},
        "points_rejected": sum(event[1] for event in lost),
    }


def scores_after(round_: dict[str, Any]) -> list[float]:
    last: dict[str, Any] = (round_["settlement"] or round_["turns"])[-1]
    scores: list[float] = last["scores"]
    return scores


def expected_rounds(rules: RuleSet, trace: dict[str, Any]) -> list[dict[str, Any]]:
    before = trace.get("start", [0.0] * rules.side_count)
    result = []
    for number, round_ in enumerate(trace["rounds"]):
        after = scores_after(round_)
        result.append(
            {
                "game": trace["game"],
                "round": number,
                "finished": not trace.get("guard", False),
                "opener": round_["opener"],
                "lead": round_["turns"][0]["move"],
                "end": round_["end"],
                "last": [turn["seat"] for turn in round_["turns"] if turn["move"]][-1],
                "winner": round_["winner"],
                **counted(round_, rules.target is not None),
                **{f"pips_{seat}": pips for seat, pips in enumerate(round_["pips"])},
                **{f"gain_{side}": after[side] - before[side] for side in range(rules.side_count)},
                **{f"score_{side}": score for side, score in enumerate(after)},
            }
        )
        before = after
    return result


def expected_game(rules: RuleSet, trace: dict[str, Any]) -> dict[str, Any]:
    in_game = rules.target is not None
    rounds = trace["rounds"]
    lost = [n for n, round_ in enumerate(rounds) if any(not event[2] for event in events_of(round_))]
    sums = [counted(round_, in_game) for round_ in rounds]
    return {
        "game": trace["game"],
        "finished": not trace.get("guard", False),
        "opener": rounds[0]["opener"],
        "rounds": len(rounds),
        "winner": trace["winner"],
        "decided": sum(round_["end"] != "target" for round_ in rounds),
        "blocked": sum(round_["end"] == "blocked" for round_ in rounds),
        "tied": sum(round_["end"] == "blocked" and round_["winner"] is None for round_ in rounds),
        **{name: sum(each[name] for each in sums) for name in sums[0]},
        "overshot_round": lost[0] if lost else None,
        **{f"score_{side}": score for side, score in enumerate(trace["scores"])},
    }


@pytest.mark.parametrize("name", RULES)
def test_rows_are_what_traces_tell(name: str) -> None:
    rules = RULES[name]
    start = start_of(name)
    told = list(traces(rules, policies_of(rules), seed=SEED, first_game=FIRST, count=GAMES, given=start))
    in_rounds = [row for trace in told for row in expected_rounds(rules, trace)]
    assert found(name, "rounds").to_pylist() == in_rounds
    if rules.target is not None:
        assert found(name, "games").to_pylist() == [expected_game(rules, trace) for trace in told]


def test_the_settings_above_meet_every_case() -> None:
    tables = {name: found(name, "games").to_pydict() for name in GAME_RULES}
    assert set(tables["guard"]["finished"]) == {True, False}
    assert any(tables["exact61"]["points_rejected"])
    rounds = {name: found(name, "rounds").to_pydict() for name in GAME_RULES}
    assert any(points % 1 for points in rounds["two of three share"]["gain_0"])
    assert set(rounds["two of three share"]["end"]) == {"out", "blocked", "target"}
    assert None in rounds["highest double"]["winner"]


# --- the rows against the totals ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [*((name, "games") for name in GAME_RULES), *((name, "rounds") for name in RULES)],
)
def test_the_rows_add_up_to_the_totals(name: str, kind: str) -> None:
    rules = RULES[name]
    total = execute(plan_of_rules(name, 500)).total
    table = found(name, kind, 500).to_pandas()
    assert total.stopped == table[~table.finished].game.nunique()
    table = table[table.finished]
    assert total.games == table.game.nunique()
    for column in set(rows.KEPT) & set(table):
        factor = rows.HALF if column in rows.IN_POINTS else 1
        assert factor * table[column].sum() == total.total([column]), column
    if kind == "games":
        assert table.rounds.sum() == total.total(["rounds"])
        assert table.winner.notna().sum() == total.total(["won"])
        for side in range(rules.side_count if total.total(["drawn"]) == 0 else 0):
            assert 12 * (table.winner == side).sum() == total.total([f"side_share_{side}"])
    else:
        assert len(table) == total.total(["rounds"])
        assert (table.end == "target").sum() == total.total(["cut"])


@pytest.mark.slow
def test_rows_of_policies_that_search() -> None:
    plan = simulation("exact61", ["rollout:2:greedy", "greedy"], games=20, seed=SEED)
    total = execute(plan).total
    table = pyarrow.concat_tables(rows.tables(plan, "games")).to_pandas()
    for column in rows.KEPT:
        factor = rows.HALF if column in rows.IN_POINTS else 1
        assert factor * table[column].sum() == total.total([column]), column


# --- the file -----------------------------------------------------------------------------------


def plan_of(games: int = 400, first_game: int = 0, rows: str | None = "rounds") -> Simulation:
    rules = rule_set("exact61", players=3, target=60)
    return simulation(
        rules, ["greedy", "random", "careful"], games=games, seed=SEED, first_game=first_game, rows=rows
    )


def kept(path: Path, plan: Simulation, threads: int = 1) -> Path:
    with new_folder(path, plan) as folder:
        execute(plan, folder=folder, threads=threads)
    return path


def content(path: Path) -> dict[str, bytes]:
    """Return all files but the manifest, which has times."""
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name != MANIFEST}


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rowfiles, "ROW_GROUP", 500)


@pytest.mark.usefixtures("small_groups")
def test_neither_threads_nor_blocks_leave_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = content(kept(tmp_path / "one", plan_of(), threads=1))
    monkeypatch.setattr(rows, "BLOCK", 17)
    assert content(kept(tmp_path / "three", plan_of(), threads=3)) == one
    monkeypatch.setattr(rows, "ROOM", 1)  # as many rows as the longest game: no two blocks are cut alike
    assert content(kept(tmp_path / "tight", plan_of(), threads=2)) == one


@pytest.mark.usefixtures("small_groups")
def test_row_groups_have_a_fixed_size(tmp_path: Path) -> None:
    file = pyarrow.parquet.ParquetFile(kept(tmp_path / "run", plan_of()) / "rounds.parquet")
    sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
    assert len(sizes) > 2
    assert sizes[:-1] == [500] * (len(sizes) - 1)
    assert 0 < sizes[-1] <= 500


def test_pandas_duckdb_and_polars_read_it_back(tmp_path: Path) -> None:
    import duckdb
    import pandas
    import polars

    path = kept(tmp_path / "run", plan_of(rows="games")) / "games.parquet"
    total = execute(plan_of(rows=None)).total
    sums = total.games, total.total(["plays"]), total.total(["points_rejected"]) / 2
    pandas_frame = pandas.read_parquet(path)
    assert (len(pandas_frame), pandas_frame.plays.sum(), pandas_frame.points_rejected.sum()) == sums
    polars_frame = polars.read_parquet(path)
    assert (polars_frame.height, polars_frame["plays"].sum(), polars_frame["points_rejected"].sum()) == sums
    query = f"select count(*), sum(plays), sum(points_rejected) from '{path}'"
    with duckdb.connect() as database:
        assert database.sql(query).fetchall() == [sums]
    assert polars_frame.to_dicts() == pyarrow.parquet.read_table(path).to_pylist()


# --- runs that are kept -------------------------------------------------------------------------


def test_a_folder_lists_the_file(tmp_path: Path) -> None:
    path = kept(tmp_path / "run", plan_of())
    told = json.loads((path / MANIFEST).read_text())
    assert told["rows"] == "rounds"
    assert told["files"]["rounds.parquet"] == runs.digest_of((path / "rounds.parquet").read_bytes())
    assert resume(path) is None
    (path / "rounds.parquet").write_bytes(b"PAR1")
    assert "rounds.parquet is not as it was written" in refusal("resume", path)


@pytest.mark.usefixtures("small_groups")
def test_ctrl_c_while_rows_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, write = tmp_path / "run", rowfiles.write

    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rowfiles, "write", lambda file, tables, tick: write(file, tables, stop))
    with pytest.raises(Interrupted):
        kept(path, plan_of())
    assert not (path / "rounds.parquet").exists()
    monkeypatch.undo()
    monkeypatch.setattr(rowfiles, "ROW_GROUP", 500)
    assert resume(path) is not None
    assert content(path) == content(kept(tmp_path / "whole", plan_of()))


KILLED = (
    "import os, sys; from analyzer import rowfiles; from analyzer.cli import main; write = rowfiles.write; "
    "rowfiles.ROW_GROUP = 500; kill = lambda: os.kill(os.getpid(), 9); "
    "rowfiles.write = lambda file, tables, tick: write(file, tables, kill); sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_killed_while_rows_are_written(tmp_path: Path) -> None:
    words = ("simulate", "draw", "--rounds", "2000", "--rows", "rounds", "--out")
    command = [sys.executable, "-c", KILLED, *words, str(tmp_path / "run")]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    left = {file.name for file in (tmp_path / "run").iterdir()}
    assert "rounds.parquet" not in left
    assert any(name.startswith(".rounds.parquet.") for name in left)
    assert fives("resume", tmp_path / "run").code == 0
    assert fives(*words, tmp_path / "whole").code == 0
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def test_parts_add_up_to_the_whole(tmp_path: Path) -> None:
    whole = kept(tmp_path / "whole", plan_of())
    parts = kept(tmp_path / "a", plan_of(150)), kept(tmp_path / "b", plan_of(250, 150))
    assert fives("merge", *parts, "--out", tmp_path / "sum").code == 0
    assert content(tmp_path / "sum") == content(whole)


def test_force_removes_the_rows_of_the_old_run(tmp_path: Path) -> None:
    path = kept(tmp_path / "run", plan_of())
    assert fives("simulate", "draw", "--rounds", 10, "--out", path, "--force").code == 0
    assert not (path / "rounds.parquet").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--games", 1, "--rows", "games"), "name the folder with --out"),
        (("--games", 1, "--rows", "game", "--out", "run"), "did you mean games?"),
        (("--rounds", 1, "--rows", "games", "--out", "run"), "ask for rows of rounds"),
    ],
)
def test_rows_that_cannot_be_written_are_refused(words: tuple[object, ...], sentence: str) -> None:
    assert sentence in refusal("simulate", "draw", *words)
