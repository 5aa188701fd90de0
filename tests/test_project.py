"""The project as a whole: who may import whom, docs and help in step, one version, what the wheel holds."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import fives
from analyzer.cli.app import app
from analyzer.version import __version__
from tests import shell

ROOT = Path(__file__).parents[1]
OURS = {"analyzer", "kernels", "reports", "fives", "tests"}


# --- imports ------------------------------------------------------------------------------------


def imports_of(folder: str) -> Iterator[tuple[str, str]]:
    """Yield (file, imported module) for every import below a folder, wherever it stands."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((str(path.relative_to(ROOT)), name.name) for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: imports are written in full"
                yield str(path.relative_to(ROOT)), node.module or ""


def test_kernels_import_numba_numpy_and_themselves() -> None:
    for path, module in imports_of("kernels"):
        top = module.split(".")[0]
        assert top in sys.stdlib_module_names or top in {
            "numba",
            "llvmlite",
            "numpy",
            "platformdirs",
            "kernels",
        }, (
            path,
            module,
        )


def test_reports_import_nothing_of_ours() -> None:
    for path, module in imports_of("reports"):
        assert module.split(".")[0] not in OURS - {"reports"}, (path, module)


def test_the_referee_is_plain_python() -> None:
    allowed = (
        "analyzer.referee",
        "analyzer.errors",
        "analyzer.notation",
        "analyzer.rulesets",
        "analyzer.policies",
    )
    for path, module in imports_of("analyzer/referee"):
        top = module.split(".")[0]
        assert top in sys.stdlib_module_names or module.startswith(allowed), (path, module)


def test_the_referee_loads_no_kernel() -> None:
    code = (
        "import sys, analyzer.referee.replay, analyzer.referee.sheet\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('kernels', 'numba', 'numpy')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_library_below_the_command_line_does_not_import_it() -> None:
    for path, module in imports_of("analyzer"):
        if not path.startswith("analyzer/cli"):
            assert not module.startswith(("analyzer.cli", "typer", "rich", "fives")), (path, module)


# --- the public names ---------------------------------------------------------------------------


def test_import_fives_loads_nothing_heavy() -> None:
    code = "import sys, fives; print(fives.__version__, *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    version, *modules = done.stdout.split()
    assert version == __version__
    assert not {"numba", "numpy", "pandas", "typer"} & set(modules)


def test_every_public_name_is_there() -> None:
    assert set(dir(fives)) == set(fives.__all__)
    for name in fives.__all__:
        assert getattr(fives, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = fives.simulat


# --- docs and versions --------------------------------------------------------------------------


def options_of(command: Any) -> set[str]:
    """Return the long options of a command, `--help` among them."""
    context = command.make_context(command.name, [], resilient_parsing=True)
    return {option for each in command.get_params(context) for option in each.opts if option.startswith("--")}


@pytest.mark.parametrize("name", list(get_command(app).commands))
def test_docs_list_the_options_that_help_shows(name: str) -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = text.split(f"\n## fives {name}")[1].split("\n## ")[0]
    documented = set(re.findall(r"^\| `(--[a-z0-9-]+)", section, flags=re.MULTILINE))
    assert documented == options_of(get_command(app).commands[name])


@pytest.mark.parametrize("name", list(get_command(app).commands))
def test_the_readme_names_every_command(name: str) -> None:
    assert f"`fives {name}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_one_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation
    assert f"\n## [{__version__}]" in changelog


def test_the_lock_pins_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = set(re.findall(r"^([a-z0-9-]+)==", lock, flags=re.MULTILINE))
    assert {re.split(r"[^a-z0-9-]", text)[0] for text in needed} <= pinned
    assert "://" not in lock


def test_links_of_the_docs_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert "://" in link or (path.parent / link).exists(), (path.name, link)


# --- the wheel ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_wheel_holds_the_packages_and_no_tests(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    source = tmp_path / "source"
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in names.stdout.splitlines():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([*pip, "--wheel-dir", str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names_inside = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names_inside}
    info = f"fives-{__version__}.dist-info"
    assert {"analyzer", "kernels", "fives.py", info} <= tops <= OURS - {"tests"} | {"fives.py", info}
    assert not [name for name in names_inside if "test" in name]
    assert {f"reports/templates/board.{end}" for end in ("html.j2", "css", "js")} <= set(names_inside)


@pytest.mark.parametrize("name", list(get_command(app).commands))
def test_help_tells_a_default_once(name: str) -> None:
    told = " ".join(shell.fives(name, "--help").out.split())
    assert not re.search(r"\[default: [^]]*\] \[default: ", told)
