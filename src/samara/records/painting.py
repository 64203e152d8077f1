# SPDX-License-Identifier: Apache-2.0
"""Pictures of charts: png and svg files show what a page draws with its script."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from samara.figure import Origin
from samara.records.charts import Draws

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as Scale
    from matplotlib.figure import Figure

    from samara.records.charts import Axis, Chart, Point, Series

_WIDTH, _HEIGHT = 7.2, 3.6
"""Inches of a chart."""
_HEAD, _ROW = 1.1, 0.22
"""Inches of a chart whose y has names: title and x axis, and each name."""
_GREY = "#777777"
"""Behind the colours, as the last one of a page is: for what is not one of a kind."""
_LOGARITHM_FROM = 20
"""Largest value over the least from which an axis is logarithmic; charts of pages have
the same rule (page/src/lib/chart.ts)."""


def paint_charts(
    figure: Figure, charts: Sequence[Chart], colours: Sequence[str]
) -> None:
    """Draw charts one below the other; the figure gets the size that they need."""
    if not charts:
        return
    heights = [_height(each) for each in charts]
    figure.set_size_inches(_WIDTH, sum(heights))
    rows = figure.subplots(len(charts), 1, squeeze=False, height_ratios=heights)
    for axes, chart in zip(rows[:, 0], charts, strict=True):
        _paint(axes, chart, colours)


def _height(chart: Chart) -> float:
    names = len(chart.y.names)
    return _HEAD + _ROW * names if names else _HEIGHT


def _paint(axes: Axes, chart: Chart, colours: Sequence[str]) -> None:
    named = bool(chart.y.names)
    palette = (*colours, _GREY)
    for place, series in enumerate(chart.series):
        number = place if series.colour is None else series.colour
        colour = palette[number % len(palette)]
        if series.draws is Draws.BARS:
            _paint_bars(axes, series, colour)
        else:
            _paint_points(axes, series, colour, across=named)
    axes.use_sticky_edges = False
    axes.set(xlabel=_label(chart.x), ylabel=_label(chart.y))
    axes.set_title(chart.title, fontsize=9, wrap=True)
    points = [point for series in chart.series for point in _finite(series.points)]
    if _is_logarithmic(chart.x, [each.x for each in points]):
        axes.set_xscale("log")
        plain_log(axes.xaxis)
    elif all(each.x == int(each.x) for each in points):
        axes.locator_params(axis="x", integer=True)
    if named:
        axes.set_yticks(range(len(chart.y.names)), chart.y.names, fontsize=7)
        axes.set_ylim(len(chart.y.names) - 0.5, -0.5)
    elif _is_logarithmic(chart.y, [each.y for each in points]):
        axes.set_yscale("log")
        plain_log(axes.yaxis)
    if len(chart.series) > 1:
        axes.legend(fontsize=7)


def _label(axis: Axis) -> str:
    return f"{axis.label}, {axis.unit}" if axis.unit else axis.label


def _is_logarithmic(axis: Axis, values: Sequence[float]) -> bool:
    return not axis.counts and asks_for_logarithm(values)


def _finite(points: Iterable[Point]) -> list[Point]:
    return [each for each in points if math.isfinite(each.x + each.y)]


def _paint_points(axes: Axes, series: Series, colour: str, *, across: bool) -> None:
    """Draw points, or a line through them, with the range of those that have one."""
    points = _finite(series.points)
    line = series.draws is Draws.LINE
    look: dict[str, Any] = {
        "linestyle": "-" if line else "none",
        "marker": "none" if series.size == 0 else "." if line else "o",
        "markersize": 4,
        "fillstyle": "none" if _is_published(points) else "full",
    }
    ranges = [_range(each, each.x if across else each.y) for each in points]
    if any(map(any, ranges)):
        look["xerr" if across else "yerr"] = list(zip(*ranges, strict=True))
        look |= {"capsize": 2, "elinewidth": 0.8}
    xs, ys = [each.x for each in points], [each.y for each in points]
    axes.errorbar(xs, ys, color=colour, label=series.name, **look)


def _range(point: Point, value: float) -> tuple[float, float]:
    """Return how far the range of a point reaches below its value, and above it."""
    low = value if point.low is None else point.low
    high = value if point.high is None else point.high
    reach = (max(value - low, 0.0), max(high - value, 0.0))
    return reach if all(map(math.isfinite, reach)) else (0.0, 0.0)


def _is_published(points: Sequence[Point]) -> bool:
    return bool(points) and all(each.origin is Origin.PUBLISHED for each in points)


def _paint_bars(axes: Axes, series: Series, colour: str) -> None:
    """Draw bars from the low end to the high one; a tick marks the value between."""
    points = [
        each
        for each in _finite(series.points)
        if each.low is not None and each.high is not None
    ]
    places = [each.y for each in points]
    lows = [each.low or 0.0 for each in points]
    widths = [(each.high or 0.0) - (each.low or 0.0) for each in points]
    axes.barh(places, widths, left=lows, color=colour, label=series.name)
    axes.plot([each.x for each in points], places, "|", color="#000000")


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


def plain_log(axis: Scale, subs: Sequence[float] = (1.0, 2.0, 5.0)) -> None:
    """Write the numbers of a logarithmic axis without exponents."""
    # With Matplotlib, which is slow to load.
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: PLC0415

    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())
