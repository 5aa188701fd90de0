"""The figures of a tuning: its edge on fresh deals, what weighs in the policy, the course of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.drawing import Drawing, told_confidence
from reports.figures.cells import Axis
from reports.figures.claims import are_apart
from reports.figures.differences import margin_differences, win_differences
from reports.figures.forest import Point, points_of
from reports.figures.scale import NUMBER, PERCENT, Scale, lines_of, scale_of, tick
from reports.figures.sections import Sections, drawn
from reports.figures.sweep_lines import Series, draw_legend, draw_lines
from reports.style import HATCHES, INK, MARKERS, MUTED, SERIES, WIDTH

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

    from reports.material import Material
    from reports.words import Words

_EVEN = 0.5
_NAMED = 3  # features that titles and sentences name
_ROW, _FRAME = 0.27, 1.15  # inches: a feature, and the axis with its label and legend


def tune_figures(material: Material, words: Words) -> list[tuple[str, list[Drawing]]]:
    """Return the figures of a tuning under "edge", "weights" and "course"."""
    return drawn(_SECTIONS, material, words)


# --- what is found ------------------------------------------------------------------------------


def heaviest(material: Material) -> list[str]:
    """Return the features that count most, the first first; at most three, none that counts nothing."""
    table = material.tables["weights"]
    return [str(name) for name in table.loc[table["counts"] != 0, "feature"].iloc[:_NAMED]]


def first_and_last(material: Material) -> tuple[Point, Point]:
    """Return the mean candidate's share of the wins in the first and in the last generation."""
    points = _shares(material, "mean")
    return points[0], points[-1]


def _shares(material: Material, name: str) -> list[Point]:
    table = material.tables["generations"]
    return points_of(table, [""] * len(table), (name, f"{name}_low", f"{name}_high"))


# --- weights ------------------------------------------------------------------------------------


def weights(material: Material, words: Words) -> Drawing | None:
    """Draw how much each feature counts, and how much at the start of the search."""
    table = material.tables["weights"]
    names = heaviest(material)
    if not names:
        return None
    each = [
        words("{field} {value}", field=name, value=words.number(value, 2, signed=True))
        for name, value in table[["feature", "counts"]].itertuples(index=False)
    ]

    def draw(figure: FigureBase) -> None:
        axes = figure.subplots()
        _draw_weights(axes, table, words)
        figure.legend(loc="outside lower center", ncols=2)

    return Drawing(
        key="tune-weights",
        title=words(
            "In {policy} these count most: {names}", policy=material.policies[0], names=words.joined(names)
        ),
        caption=words(
            "Each weight times how far its feature typically differs between placements, as a part of the "
            "length of all; below 0 a placement is valued less for it. Estimates without intervals: {start} "
            "is where the search began, the bars are the middle of its last generation.",
            start=material.facts["start"],
        ),
        alt=words("Bars of how much each feature counts: {told}.", told=", ".join(each)),
        draw=draw,
        table=table,
        size=(WIDTH, _FRAME + _ROW * len(table)),
    )


def _draw_weights(axes: Axes, table: pandas.DataFrame, words: Words) -> None:
    places = list(range(len(table) - 1, -1, -1))
    axes.axvline(0, color=MUTED, linewidth=0.8)
    for sign, hatch, colour in ((1, HATCHES[0], SERIES[0]), (-1, HATCHES[1], SERIES[1])):
        values = [max(sign * value, 0.0) * sign for value in table["counts"]]
        axes.barh(places, values, color=colour, hatch=hatch, height=0.62)
    axes.plot(
        table["counts_at_start"],
        places,
        MARKERS[3],
        color=INK,
        markerfacecolor="none",
        linestyle="none",
        label=words("at the start"),
    )
    axes.set_yticks(places, list(table["feature"]))
    axes.set_ylim(-0.6, len(table) - 0.4)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    tick(axes.xaxis, words, NUMBER, signed=True)
    axes.set_xlabel(lines_of(words("how much a feature counts")))


# --- course -------------------------------------------------------------------------------------


def course(material: Material, words: Words) -> Drawing:
    """Draw the share of the wins by generation, of the mean and of the best candidate."""
    table = material.tables["generations"]
    places = [float(number) for number in table["generation"]]
    series = [
        Series(words("mean of the candidates"), places, _shares(material, "mean")),
        Series(words("best candidate"), places, _shares(material, "best")),
    ]
    scale = scale_of(words, PERCENT, [point.width for point in series[0].points])

    def draw(figure: FigureBase) -> None:
        labels = (words("generation"), words("Share of the wins against the rival (percent)"))
        axes = draw_lines(figure, series, _generations(table), scale, labels, _EVEN)
        draw_legend(figure, axes, words("of each generation"))

    first, last = first_and_last(material)
    return Drawing(
        key="tune-course",
        title=_title_of_course(material, words),
        caption=words(
            "{rules}, against {rival}: {candidates} candidates in each generation, {deals} deals of its own "
            "each, seed {seed}. {confidence} intervals of the games of one candidate; the best is picked by "
            "these games, so its share flatters it.",
            rules=material.rules_told,
            rival=material.policies[1],
            candidates=words.whole(int(material.facts["population"])),
            deals=words.whole(int(material.facts["deals"])),
            seed=material.seed,
            confidence=told_confidence(material, words),
        ),
        alt=words(
            "Lines of the share of the wins by generation: the mean from {first} to {last}, the best from "
            "{best_first} to {best_last}.",
            first=scale.tell(first.estimate),
            last=scale.tell(last.estimate),
            best_first=scale.tell(series[1].points[0].estimate),
            best_last=scale.tell(series[1].points[-1].estimate),
        ),
        draw=draw,
        table=table,
        size=(WIDTH, 3.8),
    )


def _generations(table: pandas.DataFrame) -> Axis:
    return Axis("generation", tuple(int(number) for number in table["generation"]))


def _title_of_course(material: Material, words: Words) -> str:
    first, last = first_and_last(material)
    scale = scale_of(words, PERCENT, [first.width, last.width])
    told = {"first": scale.tell(first.estimate), "last": scale.tell(last.estimate)}
    if len(material.tables["generations"]) == 1:
        return words("The one generation wins {first} on the mean", **told)
    if not are_apart(first, last):
        return words("No progress of the mean candidate can be told: {first}, then {last}", **told)
    if last.estimate > first.estimate:
        return words("The mean candidate rose from {first} to {last} of the wins", **told)
    return words("The mean candidate fell from {first} to {last} of the wins", **told)


def step(material: Material, words: Words) -> Drawing | None:
    """Draw the search's step by generation."""
    table = material.tables["generations"]
    if len(table) < 2:
        return None
    first, last = (words.number(float(table["step"].iloc[place]), 2) for place in (0, -1))

    def draw(figure: FigureBase) -> None:
        points = [Point("", float(value), None, None) for value in table["step"]]
        series = [Series("", [float(number) for number in table["generation"]], points)]
        labels = (words("generation"), words("Step of the search, in lengths of the start"))
        scale = Scale(NUMBER, 2, signed=False, words=words)
        axes = draw_lines(figure, series, _generations(table), scale, labels, None)
        axes.set_ylim(0, 1.1 * float(table["step"].max()))

    if float(table["step"].iloc[-1]) < float(table["step"].iloc[0]):
        title = words("The search's step fell from {first} to {last}", first=first, last=last)
    else:
        title = words("The search's step did not fall: {first}, then {last}", first=first, last=last)
    return Drawing(
        key="tune-step",
        title=title,
        caption=words(
            "How far the candidates of a generation stand from its middle (sigma of CMA-ES): the smaller, "
            "the more settled the search."
        ),
        alt=words(
            "Line of the search's step over the generations, from {first} to {last}.", first=first, last=last
        ),
        draw=draw,
        table=table[["generation", "step"]],
        size=(WIDTH, 2.4),
    )


_SECTIONS: Sections = (
    ("edge", (win_differences, margin_differences)),
    ("weights", (weights,)),
    ("course", (course, step)),
)
