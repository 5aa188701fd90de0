"""House rules from files: what they change, what takes them, and that nothing needs the file later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.errors import FivesError
from analyzer.house import house_rules, sweep_base
from analyzer.rulesets import CHOICES_OF_FIELD, in_words, rule_set
from tests.shell import fives, refusal

CLUB = """
base = "allfives"
name = "Thursday club"
summary = "no spinner, to 150"
spinner = "none"
hand = 7
target = 150

[players.4]
hand = 5
sides = "none"
"""


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.toml"
    path.write_text(CLUB, encoding="utf-8")
    return path


def written(folder: Path, text: str) -> Path:
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return path


# --- what a file gives --------------------------------------------------------------------------


def test_the_fields_of_a_file(club: Path) -> None:
    changed = {"house": "Thursday club", "spinner": "none", "hand": 7, "target": 150}
    assert house_rules(club) == rule_set("allfives", **changed)
    assert house_rules(club, players=3) == rule_set("allfives", players=3, **changed)
    four = rule_set("allfives", players=4, **{**changed, "hand": 5, "sides": (0, 1, 2, 3)})
    assert house_rules(club, players=4) == four


def test_arguments_go_before_the_file(club: Path) -> None:
    rules = house_rules(club, players=4, hand=6, target=60, sides=(0, 1, 0, 1), spinner="all")
    assert (rules.hand, rules.target, rules.sides, rules.spinner) == (6, 60, (0, 1, 0, 1), "all")


def test_a_file_without_a_name_is_called_like_itself(tmp_path: Path) -> None:
    rules = house_rules(written(tmp_path, 'base = "partout5"\nset = "double-nine"\n'), players=3)
    assert (rules.house, rules.set, rules.hand) == ("rules", "double-nine", 10)


def test_in_words(club: Path) -> None:
    words = in_words(house_rules(club))
    assert words == ("Thursday club: allfives (version 1), 2 players with hand 7, spinner none, target 150")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no base is named"),
        ("base = 5", "no base is named"),
        ('base = "allfive"', "did you mean allfives?"),
        ('base = "allfives"\nspiner = "none"', "did you mean spinner?"),
        ('base = "allfives"\nspinner = "some"', "spinner is 'some': it must be one of none, first, all"),
        ('base = "allfives"\nhand = 15', "from 1 to 14"),
        ('base = "allfives"\nhand = 7.5', "hand is 7.5"),
        ('base = "allfives"\nreserve = true', "reserve is True"),
        ('base = "allfives"\nset = "double-twelve"', "larger sets such as the double-twelve"),
        ('base = "allfives"\nplayers = 4', "give the number with --players"),
        ('base = "allfives"\nversion = 2', "version cannot be set in a file"),
        ('base = "allfives"\nname = 7', "name is 7: it must be a text"),
        ('base = "allfives"\nname = ""', "name is ''"),
        ('base = "allfives"\nname = "a\\nb"', "name is 'a\\nb'"),
        ('base = "allfives"\nhand = ' + "9" * 5000, "a number in it is out of all bounds"),
        ('base = "allfives"\nhand = ' + "[" * 5000, "its values are nested too deep"),
        ('base = "allfives"\n[players.4]\nhand = 9', "[players.4]: hand is 9"),
        ('base = "allfives"\n[players.3]\nhend = 5', "[players.3]: unknown field of a rule set 'hend'"),
        ('base = "allfives"\n[choices]\nhand = 5', "the choice of hand is 5: it must be a text"),
        ('base = "allfives"\n[choices]\nhend = "so"', "did you mean hand?"),
        ('base = "allfives"\nsides = "two"', "sides is 'two'"),
        ('base = "allfives"\n[players.5]\nhand = 5', "there is no table [players.5]"),
        ('base = "exact61"\ntarget = 303', "an exact target must be a multiple of 5"),
        ('base = "partout5"\npoints = "divided"', "rounded to fives, nearest or down"),
        ("base = ", "is no TOML file: invalid value"),
    ],
)  # fmt: skip
def test_mistakes_in_a_file_are_named_with_it(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(FivesError) as caught:
        house_rules(path)
    assert str(path) in str(caught.value)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "no such file" in refusal("rules", tmp_path / "missing.toml")
    assert "is a directory" in refusal("rules", f"{tmp_path}/")
    (tmp_path / "latin.toml").write_bytes(b'base = "\xe9"')
    assert "not UTF-8 text" in refusal("rules", tmp_path / "latin.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * 2_000_000)
    assert "more than 1,000,000 bytes" in refusal("rules", tmp_path / "large.toml")


@pytest.mark.parametrize(
    ("fields", "reached"),
    [
        ({"score_multiple": 3}, 3),  # 3 and the fives of settlements
        ({"second_multiple": 3}, 61),
        ({"rounding": "none"}, 61),
        ({"settlement_out": "one", "settlement_block": "none"}, 61),
        ({"points": "divided"}, 61),
        ({"score_multiple": 0, "settlement_out": "none", "settlement_block": "none"}, 61),  # no gain at all
    ],
)
def test_an_exact_target_may_be_any_number_that_gains_can_hit(fields: dict, reached: int) -> None:
    assert rule_set("exact61", target=reached, **fields).target == reached


# --- every command takes a file -----------------------------------------------------------------


def test_rules_shows_what_differs(club: Path) -> None:
    text = fives("rules", club).out
    assert "Thursday club" in text
    for field, value, named in (("hand", 7, 9), ("spinner", "none", "first"), ("target", 150, 250)):
        rows = [line.replace("|", " ").split() for line in text.splitlines()]
        assert [field, str(value), str(named)] in rows
    assert "score_multiple" not in text
    shown = fives("rules", club, "--json").json
    assert shown["house"] == "Thursday club"
    by_name = {field["name"]: field for field in shown["fields"]}
    assert by_name["spinner"]["value"] == "none"
    assert by_name["spinner"]["source"] == "these house rules"
    assert by_name["draw"]["source"].startswith("Tous les cinq")


@pytest.mark.parametrize("by_option", [False, True])
def test_every_command_takes_a_file(club: Path, tmp_path: Path, by_option: bool) -> None:
    rules = ["--rules", club] if by_option else [club]
    simulated = fives("simulate", *rules, "--games", 20, "--json").json["manifest"]
    assert simulated["rules"] == house_rules(club).as_dict()
    assert simulated["signature"] is None
    compared = fives("compare", *rules, "--policy", "greedy", "--policy", "random", "--deals", 5, "--json")
    assert compared.json["manifest"]["rules"] == house_rules(club).as_dict()
    led = fives("openings", *rules, "--rounds", 5, "--json").json["manifest"]
    assert led["rules"] == house_rules(club).replace(target=None).as_dict()
    swept = fives("sweep", *rules, "--rounds", 5, "--vary", "hand=5,6", "--json").json["manifest"]
    assert [cell["rules"]["hand"] for cell in swept["cells"]] == [5, 6]
    assert {cell["rules"]["spinner"] for cell in swept["cells"]} == {"none"}
    assert fives("score", *rules, "6-6", "6-3@6-6").out.count("15") >= 2
    traced = fives("trace", *rules, "--games", 1).out
    assert json.loads(traced)["rules"] == {
        "name": "allfives", "players": 2, "set": "double-six", "house": "Thursday club",
        "hand": 7, "spinner": "none", "target": 150,
    }  # fmt: skip
    (tmp_path / "games.jsonl").write_text(traced, encoding="utf-8")
    assert "no faults" in fives("verify", tmp_path / "games.jsonl").out


def test_the_rule_set_is_given_once(club: Path) -> None:
    assert "given twice" in refusal("simulate", "allfives", "--rules", club, "--rounds", 5)
    assert "no rule set is given" in refusal("simulate", "--rounds", 5)


def test_a_file_after_csv_is_no_table(club: Path) -> None:
    assert fives("simulate", "--rounds", 5, "--csv", club).out.startswith("metric,")


def test_a_sweep_over_players_needs_a_file_without_tables_by_players(club: Path) -> None:
    assert "vary something else" in refusal("sweep", club, "--rounds", 5, "--vary", "players=2,4")
    assert sweep_base(str(club), 4, [], by_games=True) == (
        "allfives",
        {"spinner": "none", "hand": 5, "target": 150, "sides": "none"},
    )


def test_a_run_does_not_need_the_file_later(club: Path, tmp_path: Path) -> None:
    for first in (0, 30):
        fives("simulate", club, "--games", 30, "--first-game", first, "--out", tmp_path / f"run{first}")
    fives("simulate", club, "--games", 60, "--out", tmp_path / "at-once")
    club.unlink()
    fives("merge", tmp_path / "run0", tmp_path / "run30", "--out", tmp_path / "merged")
    for name in ("summary.csv", "ends.csv"):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "at-once" / name).read_bytes()


# --- what a manifest says -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "has_signature"),
    [
        (["allfives", "--games", 2], True),
        (["muggins", "--rounds", 2], True),
        (["partout5", "--set", "double-nine", "--rounds", 2], True),
        (["allfives", "--games", 2, "--target", 100], False),
        (["allfives", "--rounds", 2, "--hand-size", 7], False),
    ],
)
def test_a_changed_set_has_no_signature(arguments: list, has_signature: bool) -> None:
    signature = fives("simulate", *arguments, "--json").json["manifest"]["signature"]
    assert (signature is not None) == has_signature


def test_controls_need_an_opener_that_the_deal_does_not_choose() -> None:
    assert "leave the control out" in refusal("simulate", "muggins", "--rounds", 5, "--control")
    later = rule_set("allfives", opener_after_out="highest_double")
    assert "highest_double" in CHOICES_OF_FIELD["opener_after_out"]
    from analyzer.simulate import simulation

    assert simulation(later, "greedy", rounds=5, control=True).control
    with pytest.raises(FivesError, match="leave the control out"):
        simulation(later, "greedy", games=5, control=True)


def test_a_forced_lead_leaves_none_to_compare() -> None:
    assert "force the lead" in refusal("openings", "muggins", "--rounds", 5)
