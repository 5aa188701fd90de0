"""Drawings as inline SVG, whose colours follow the page, and as PNG; the same bytes each time.

Matplotlib draws with its Agg and SVG canvases directly, so neither MPLBACKEND nor the user's matplotlibrc
changes a picture.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from reports.style import INK, LIGHT, MUTED, PAPER, RC

if TYPE_CHECKING:
    from reports.drawing import Drawing

DPI = 160
_NAME_OF = {colour: name for name, colour in LIGHT.items()}
_FONTS = "'DejaVu Sans', Verdana, sans-serif"
_TITLE_SIZE, _CAPTION_SIZE, _LINE = 11.0, 8.0, 1.35
_INCH = 72.0  # points
_LETTER, _BOLD = 0.56, 0.65  # mean width of a letter, in parts of its size


@contextmanager
def _style(salt: str) -> Iterator[None]:
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        settings: Any = matplotlib.rcParams
        settings.update(RC)
        settings["svg.hashsalt"] = salt
        yield


def svg(drawing: Drawing) -> str:
    """Return a drawing as an SVG element for a page, with its text alternative.

    Raises
    ------
    ValueError
        Where the drawing has a colour that is not of `reports.style`: it could not follow the page.
    """
    with _style(drawing.key):
        figure = Figure(figsize=drawing.size, layout="constrained")
        FigureCanvasSVG(figure)
        drawing.draw(figure)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return _inline(text.getvalue(), drawing)


def _inline(text: str, drawing: Drawing) -> str:
    """Return matplotlib's document as an element: own ids, the page's colours, a title and a description."""
    body = text[text.index("<svg") :]
    start = body.index(">") + 1
    head, body = body[:start], body[start:]
    box = re.search(r'viewBox="([^"]+)"', head)
    assert box is not None
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    key = drawing.key
    body = re.sub(r'\bid="', f'id="{key}-', body)
    body = body.replace("url(#", f"url(#{key}-").replace('xlink:href="#', f'href="#{key}-')
    body = re.sub(r"#[0-9a-f]{6}\b", _variable, body)
    # `font:` would name the one font that drew it; a page may have to do with another
    body = body.replace("'DejaVu Sans'", _FONTS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box[1]}" role="img" class="figure" '
        f'aria-labelledby="{key}-name {key}-alt"><title id="{key}-name">{escape(drawing.title)}</title>'
        f'<desc id="{key}-alt">{escape(drawing.alt)}</desc>{body.strip()}'
    )


def _variable(match: re.Match[str]) -> str:
    colour = match[0]
    if colour not in _NAME_OF:
        raise ValueError(f"{colour} is no colour of the palette")
    return f"var(--{_NAME_OF[colour]})"


def png(drawing: Drawing, dpi: int = DPI) -> bytes:
    """Return a drawing as PNG on white paper, its title above it and its caption below."""
    width, height = drawing.size
    with _style(drawing.key):
        title = _wrapped(drawing.title, width, _TITLE_SIZE, _BOLD)
        caption = _wrapped(drawing.caption, width, _CAPTION_SIZE)
        above = _height(title, _TITLE_SIZE)
        below = _height(caption, _CAPTION_SIZE)
        whole = Figure(figsize=(width, above + height + below), facecolor=PAPER)
        FigureCanvasAgg(whole)
        parts = whole.subfigures(3, 1, squeeze=False, height_ratios=[above, height, below], hspace=0)
        top, middle, bottom = parts[:, 0]
        for part in (top, middle, bottom):
            part.set_facecolor("none")
        left = 0.1 / width
        top.text(left, 0.5, title, size=_TITLE_SIZE, weight="bold", color=INK, va="center")
        bottom.text(left, 0.5, caption, size=_CAPTION_SIZE, color=MUTED, va="center")
        picture = io.BytesIO()
        whole.set_layout_engine("constrained")
        drawing.draw(middle)
        whole.savefig(picture, format="png", dpi=dpi, facecolor=PAPER, metadata={"Software": None})
    return picture.getvalue()


def _wrapped(text: str, width: float, size: float, letter: float = _LETTER) -> str:
    letters = int((width - 0.2) * _INCH / (size * letter))
    return "\n".join(textwrap.wrap(text, letters))


def _height(text: str, size: float) -> float:
    return (text.count("\n") + 1) * size * _LINE / _INCH + 0.12
