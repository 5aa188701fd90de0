"""How every figure looks: one style, one palette, and how a picture's colours follow the page.

Colours are named by their use. A PNG has the light values; in a page each colour is a CSS variable of its
name, so that a dark page shows the dark values. Colour never stands alone: series differ by marker, line or
hatch too. The series are Okabe and Ito's, which people with any common colour blindness tell apart
("Color Universal Design", 2008), darkened a little where white paper needs it.
"""

from __future__ import annotations

from typing import Any

LIGHT = {
    "ink": "#1c2128",
    "muted": "#59626d",
    "line": "#d3d8de",
    "paper": "#ffffff",
    "series-0": "#0068a8",
    "series-1": "#c14e00",
    "series-2": "#00795a",
    "series-3": "#a8437c",
    "series-4": "#8a6500",
    "series-5": "#3f7fb5",
    "heat-0": "#7f3b08",
    "heat-1": "#b35806",
    "heat-2": "#e08214",
    "heat-3": "#fdb863",
    "heat-4": "#fee0b6",
    "heat-5": "#f4f4f5",
    "heat-6": "#d1e5f0",
    "heat-7": "#92c5de",
    "heat-8": "#4393c3",
    "heat-9": "#2166ac",
    "heat-10": "#053061",
}
DARK = {
    "ink": "#e8eaed",
    "muted": "#a6afb9",
    "line": "#3b424b",
    "paper": "#15181c",
    "series-0": "#58b1ec",
    "series-1": "#ff9550",
    "series-2": "#3fcfa6",
    "series-3": "#e592c4",
    "series-4": "#e6b840",
    "series-5": "#9ccbf0",
    "heat-0": "#ffc27a",
    "heat-1": "#f5a04a",
    "heat-2": "#cf7d2a",
    "heat-3": "#935a22",
    "heat-4": "#543a20",
    "heat-5": "#2a2e34",
    "heat-6": "#1f3c52",
    "heat-7": "#24587d",
    "heat-8": "#3a83b5",
    "heat-9": "#6fb1de",
    "heat-10": "#b3daf5",
}
SERIES = tuple(LIGHT[f"series-{i}"] for i in range(6))
HEAT = tuple(LIGHT[f"heat-{i}"] for i in range(11))  # low, middle, high
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
HATCHES = ("", "///", "\\\\\\", "xx", "---", "|||")  # lines only: dots would make an SVG large
INK, MUTED, LINE, PAPER = LIGHT["ink"], LIGHT["muted"], LIGHT["line"], LIGHT["paper"]
WIDTH = 5.8  # inches: text keeps a readable size on a phone

RC: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.labelsize": 9.5,
    "axes.unicode_minus": True,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "hatch.color": PAPER,
    "hatch.linewidth": 0.8,
    "errorbar.capsize": 2.5,
    "figure.facecolor": "none",
    "figure.dpi": 100,
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
    "path.simplify": False,
    "text.usetex": False,
    "axes.formatter.use_mathtext": False,
}


def on_heat(step: int) -> str:
    """Return the colour of text that is readable on a step of `HEAT`, in a light and in a dark page."""
    return INK if 3 <= step <= 7 else PAPER
