"""What the tests of figures share: the material of a run, drawings as drawn, texts that must not meet."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from analyzer.plans import Result
from analyzer.rulesets import RuleSet, in_words
from reports.drawing import Drawing
from reports.material import Material
from reports.style import RC
from reports.words import Words

NOTES = ("metric", "test")
ROOT = Path(__file__).parents[1]
ELSEWHERE = {"PYTHONHASHSEED": "7", "MPLBACKEND": "svg", "LANG": "fr_FR.UTF-8", "TZ": "Asia/Tokyo"}


def material_of(result: Result) -> Material:
    """Return the material of a run."""
    manifest = result.manifest
    rules = result.plan.cells[0].rules if manifest["command"] == "sweep" else result.plan.rules
    assert isinstance(rules, RuleSet)
    return Material(
        command=manifest["command"],
        rules=rules.as_dict(),
        rules_told=in_words(rules),
        policies=tuple(policy["name"] for policy in manifest["policies"]),
        unit=result.plan.unit,
        done=manifest["done"],
        seed=manifest["seed"],
        confidence=manifest["confidence"],
        summary=result.summary,
        tables=result.tables,
        facts={name: manifest[name] for name in NOTES if name in manifest},
    )


class LongWords(Words):
    """English with every message half as long again: longer than any of the languages."""

    def __call__(self, message: str, /, **values: object) -> str:
        told = super().__call__(message, **values)
        extra = " ".join(["lorem"] * (len(message) // 12)) if " " in message else "e" * (len(message) // 3)
        return f"{told} {extra}".strip() if " " in message else told + extra


def drawn(drawing: Drawing) -> Figure:
    """Return the figure of a drawing as a page has it, laid out."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)
        figure = Figure(figsize=drawing.size, layout="constrained")
        FigureCanvasAgg(figure)
        drawing.draw(figure)
        figure.canvas.draw()
    return figure


def check_texts(drawing: Drawing) -> None:
    """Assert that no text of a drawing leaves the figure or meets another, and that all can be read."""
    figure = drawn(drawing)
    boxes = [(text, box_of(text)) for text in texts_of(figure)]
    whole = figure.bbox
    for text, box in boxes:
        assert text.get_fontsize() >= 9, f"{drawing.key}: {text.get_text()!r} is too small"
        is_inside = (
            whole.x0 - 1 <= box.x0
            and box.x1 <= whole.x1 + 1
            and whole.y0 - 1 <= box.y0
            and box.y1 <= whole.y1 + 1
        )
        assert is_inside, f"{drawing.key}: {text.get_text()!r} leaves the figure: {box} of {whole}"
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        meet = min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5
        assert not meet, f"{drawing.key}: {first.get_text()!r} meets {second.get_text()!r}"


def box_of(text: Text) -> Bbox:
    """Return the place of a text on the canvas, in pixels."""
    return text.get_window_extent()


def texts_of(figure: Figure) -> Iterator[Text]:
    """Yield the texts that are seen: not the tick labels beyond the limits of an axis."""
    hidden = {id(text) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for text in _unseen(axis)}
    for text in figure.findobj(Text):
        if (
            isinstance(text, Text)
            and text.get_visible()
            and text.get_text().strip()
            and id(text) not in hidden
        ):
            yield text


def _unseen(axis: Axis) -> Iterator[Text]:
    low, high = sorted(axis.get_view_interval())
    reach = 1e-9 * (high - low)
    for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
        is_in_view = low - reach <= tick.get_loc() <= high + reach
        for label in (tick.label1, tick.label2):
            if not (axis.get_visible() and is_in_view and label.get_visible()):
                yield label


def told_elsewhere(module: str, function: str) -> str:
    """Return what a function of a module returns in another process, in another environment."""
    code = f"from {module} import {function}; print({function}())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **ELSEWHERE},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()
