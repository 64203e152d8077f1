# SPDX-License-Identifier: Apache-2.0
"""The kinds of drawing that reports have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from samara.records.drawing import (
    INK,
    MUTED,
    SERIES,
    SURFACE,
    draw,
    set_scales,
    thin_out,
)
from samara.records.parts import Plot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 8.4
_POINTS_AN_INCH = 72
_LOGARITHM_FROM = 20
"""Largest value over the least from which an axis is logarithmic; the console's page
has the same rule."""
_NAME_HEIGHT = 12.0
"""Points between the names of two lines."""


@dataclass(frozen=True, slots=True)
class Line:
    """Points that belong together, with their name."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    colour: int
    """Which colour of the series; lines of the same thing share one."""
    published: bool = False
    """Whether it is published: it is drawn dashed and hollow."""


def asks_for_logarithm(values: Iterable[float]) -> bool:
    """Return whether values are too far apart for an axis with equal steps.

    >>> asks_for_logarithm([1, 20]), asks_for_logarithm([1, 19]), asks_for_logarithm([])
    (True, False, False)
    >>> asks_for_logarithm([0, 20])
    False
    """
    known = list(values)
    low = min(known, default=0)
    return low > 0 and max(known) >= _LOGARITHM_FROM * low


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a chart: name, scale, limits and ticks."""

    name: str
    logarithmic: bool = False
    limits: tuple[float | None, float | None] | None = None
    """The least and the greatest value; what there is where None."""
    ticks: Sequence[float] = ()
    """Where the axis has numbers; places that are chosen for it when empty."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes with lines or points in it."""

    title: str
    lines: Sequence[Line]
    x: Axis
    y: Axis


@dataclass(frozen=True, slots=True)
class Words:
    """A plot's name, title and caption."""

    slug: str
    title: str
    caption: str = ""


def lines(words: Words, panels: Sequence[Panel], height: float = 3.3) -> Plot:
    """Draw lines, each with its name at its end."""
    paint = partial(_paint_panels, panels, _paint_lines, _name_at_ends)
    svg = draw(words.slug, paint, (_WIDTH, height), words.title)
    return Plot(words.slug, words.title, svg, words.caption)


def points(words: Words, panels: Sequence[Panel], height: float = 3.6) -> Plot:
    """Draw points, each group with its name beside its first point."""
    paint = partial(_paint_panels, panels, _paint_points, _name_at_starts)
    svg = draw(words.slug, paint, (_WIDTH, height), words.title)
    return Plot(words.slug, words.title, svg, words.caption)


@dataclass(frozen=True, slots=True)
class Dots:
    """One value for each category, with a name."""

    name: str
    values: Sequence[float | None]
    colour: int
    published: bool = False


@dataclass(frozen=True, slots=True)
class DotPanel:
    """Values of categories, on one axis."""

    title: str
    dots: Sequence[Dots]
    x: Axis


def dots(words: Words, categories: Sequence[str], panels: Sequence[DotPanel]) -> Plot:
    """Draw categories as lines, and values as dots on them."""
    height = 0.22 * len(categories) + 1.1
    paint = partial(_paint_dot_panels, categories, panels)
    svg = draw(words.slug, paint, (_WIDTH, height), words.title)
    return Plot(words.slug, words.title, svg, words.caption)


def _paint_panels(
    panels: Sequence[Panel],
    paint: Callable[[Axes, Sequence[Line]], None],
    write_names: Callable[[Axes, Sequence[Line]], None],
    figure: Figure,
) -> None:
    grid = figure.subplots(1, len(panels), squeeze=False)
    for axes, panel in zip(grid[0], panels, strict=True):
        axes.set_title(panel.title)
        _set_up(axes, panel.x, panel.y)
        paint(axes, panel.lines)
        _limit(axes, panel.x, panel.y)
        write_names(axes, panel.lines)
        thin_out(axes)
    # Adjacent axes show the same quantity: only the first has a label.
    grid[0][0].set_ylabel(panels[0].y.name)


def _set_up(axes: Axes, x: Axis, y: Axis) -> None:
    axes.set_xlabel(x.name)
    set_scales(axes, x_logarithmic=x.logarithmic, y_logarithmic=y.logarithmic)
    if x.ticks:
        axes.set_xticks(x.ticks)


def _limit(axes: Axes, x: Axis, y: Axis) -> None:
    """Limit what axes show: what is painted would change the limits."""
    if x.limits:
        axes.set_xlim(*x.limits)
    if y.limits:
        axes.set_ylim(*y.limits)


def _paint_lines(axes: Axes, series: Sequence[Line]) -> None:
    for line in series:
        colour = SERIES[line.colour]
        axes.plot(
            line.xs,
            line.ys,
            color=colour,
            linestyle=(0, (4, 2)) if line.published else "-",
            marker="o",
            markersize=4.5,
            markerfacecolor=SURFACE if line.published else colour,
            markeredgecolor=colour,
        )


def _name_at_ends(axes: Axes, series: Sequence[Line]) -> None:
    """Write the name of each line after its last point, without overlaps."""
    ends = [line for line in series if line.xs]
    for x in {line.xs[-1] for line in ends}:
        _name_beside(axes, [line for line in ends if line.xs[-1] == x], place=-1)


def _name_beside(axes: Axes, series: Sequence[Line], place: int) -> None:
    """Write names right of points, moved up or down where they would collide."""
    wanted = [_fraction(axes, line.ys[place]) for line in series]
    height = axes.get_window_extent().height * _POINTS_AN_INCH / axes.figure.dpi
    moved = spread(wanted, _NAME_HEIGHT / height)
    for line, here, there in zip(series, wanted, moved, strict=True):
        axes.annotate(
            line.name,
            xy=(line.xs[place], line.ys[place]),
            xytext=(8, (there - here) * height),
            textcoords="offset points",
            color=SERIES[line.colour],
            fontsize=8.5,
            va="center",
            annotation_clip=False,
        )


def _fraction(axes: Axes, y: float) -> float:
    """Return the height of a value on the vertical axis, from 0 to 1."""
    _, pixel = axes.transData.transform((axes.get_xlim()[1], y))
    return float(axes.transAxes.inverted().transform((0, pixel))[1])


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Move places apart, as little as a simple sweep can, keeping their order.

    >>> [round(place, 2) for place in spread([0.5, 0.1, 0.5], 0.1)]
    [0.45, 0.1, 0.55]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[int]] = []
    middles: list[float] = []
    for index in order:
        groups.append([index])
        middles.append(wanted[index])
        # Groups that would overlap become one, around the middle of what its
        # members want.
        while len(groups) > 1 and _overlap(groups, middles, gap):
            last = groups.pop()
            groups[-1] += last
            middles[-2:] = [sum(wanted[i] for i in groups[-1]) / len(groups[-1])]
    places = [0.0] * len(wanted)
    for group, middle in zip(groups, middles, strict=True):
        for rank, index in enumerate(group):
            places[index] = middle + (rank - (len(group) - 1) / 2) * gap
    return places


def _overlap(groups: list[list[int]], middles: list[float], gap: float) -> bool:
    room = (len(groups[-2]) + len(groups[-1])) / 2 * gap
    # Rounding must not merge what just fits.
    return middles[-1] - middles[-2] < room - gap * 1e-9


def _paint_points(axes: Axes, series: Sequence[Line]) -> None:
    for line in series:
        colour = SERIES[line.colour]
        axes.plot(line.xs, line.ys, color=colour, linewidth=0.8, alpha=0.5)
        axes.scatter(
            line.xs,
            line.ys,
            s=[44] + [20] * (len(line.xs) - 1),
            facecolors=SURFACE if line.published else colour,
            edgecolors=colour,
            linewidths=1.4,
            zorder=3,
        )
    axes.margins(x=0.12, y=0.12)


def _name_at_starts(axes: Axes, series: Sequence[Line]) -> None:
    """Write each group's name beside its first point."""
    _name_beside(axes, [line for line in series if line.xs], place=0)


def _paint_dot_panels(
    categories: Sequence[str], panels: Sequence[DotPanel], figure: Figure
) -> None:
    grid = figure.subplots(1, len(panels), squeeze=False, sharey=True)
    for axes, panel in zip(grid[0], panels, strict=True):
        axes.set_title(panel.title)
        axes.set_xlabel(panel.x.name)
        set_scales(axes, x_logarithmic=panel.x.logarithmic)
        for series in panel.dots:
            _paint_dots(axes, series)
        thin_out(axes)
        axes.set_yticks(range(len(categories)), categories)
        axes.tick_params(axis="y", labelcolor=INK)
    grid[0][0].invert_yaxis()
    handles, names = grid[0][0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=4, frameon=False,
        labelcolor=MUTED,
    )  # fmt: skip


def _paint_dots(axes: Axes, series: Dots) -> None:
    known = [(v, i) for i, v in enumerate(series.values) if v is not None]
    colour = SERIES[series.colour]
    axes.scatter(
        [value for value, _ in known],
        [place for _, place in known],
        s=34,
        facecolors=SURFACE if series.published else colour,
        edgecolors=colour,
        linewidths=1.5,
        zorder=3,
        label=series.name,
    )
