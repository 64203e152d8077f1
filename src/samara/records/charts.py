# SPDX-License-Identifier: Apache-2.0
"""What the charts of a page show. Nothing here draws.

The script that the console's page has draws them (page/src/lib/chart.ts, where the
same types are): a page has the script in itself. It gives an axis equal steps or a
logarithm, as the values ask for.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from samara.figure import Origin
from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from samara.figure import Figure
    from samara.records.fields import Record

_COLOURS = 8
"""Variables of the style sheet; the first ones are the easiest to distinguish."""


class Draws(StrEnum):
    """How points that belong together are drawn."""

    LINE = "line"
    POINTS = "points"
    BARS = "bars"
    """From `low` to `high` of each point: in charts whose y has names."""


@dataclass(frozen=True, slots=True)
class Point:
    """A place in a chart, and where its figure comes from."""

    x: float
    y: float
    low: float | None = None
    """With `high`, a range around y; around x where y has names."""
    high: float | None = None
    label: str = ""
    """What it is. Default: the name of its series."""
    origin: Origin = Origin.MEASURED
    """Published figures are drawn hollow."""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together, with their name."""

    name: str
    points: Sequence[Point]
    draws: Draws = Draws.LINE
    colour: int | None = None
    """Which colour of the series; what is of the same thing shares one. Default: by its
    place."""
    size: int | None = None
    """Of its points in pixels; 0: they are not marked, such as those of a curve."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: what it is of."""

    label: str
    unit: str = ""
    names: Sequence[str] = ()
    """Of y alone: what its values 0, 1, 2 stand for, from top to bottom."""
    ticks: Sequence[float] = ()
    """Where it has numbers. Default: where there is room."""
    counts: bool = False
    """Whether its steps are equal in any case, such as of a number of nodes or a time
    from the beginning."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Points and lines over one pair of axes."""

    title: str
    x: Axis
    y: Axis
    series: Sequence[Series]


@dataclass(frozen=True, slots=True)
class View:
    """The chart that the console's page has of such records."""

    slug: str
    """Of a table of the page, in page/src/lib/presets.ts."""
    records: Sequence[Record]


Drawn: TypeAlias = Chart | View


def line(
    name: str,
    xs: Iterable[float],
    ys: Iterable[float],
    colour: int | None = None,
    origin: Origin = Origin.MEASURED,
    source: str = "",
) -> Series:
    """Return a line through points of one origin."""
    points = [
        Point(x, y, origin=origin, source=source) for x, y in zip(xs, ys, strict=True)
    ]
    return Series(name, points, colour=colour)


def curve(
    name: str,
    xs: Iterable[float],
    ys: Iterable[float],
    colour: int | None = None,
    origin: Origin = Origin.MEASURED,
) -> Series:
    """Return a line whose points are not marked."""
    return replace(line(name, xs, ys, colour, origin), size=0)


def dots(
    name: str,
    values: Iterable[float | None],
    colour: int | None = None,
    origin: Origin = Origin.MEASURED,
) -> Series:
    """Return a dot for each value that there is, of a chart whose y has names."""
    known = enumerate(values)
    points = [Point(x, y, origin=origin) for y, x in known if x is not None]
    return Series(name, points, Draws.POINTS, colour)


def point_of(
    x: float,
    y: Figure,
    factor: float = 1,
    ends: tuple[Figure, Figure] | None = None,
    label: str = "",
) -> Point:
    """Return a figure as a point, with its origin.

    Parameters
    ----------
    factor
        What a figure is multiplied with, for another unit.
    ends
        The range around it.
    """
    low, high = (each.value * factor for each in ends) if ends else (None, None)
    return Point(x, y.value * factor, low, high, label, y.origin, y.source)


def as_json(plots: Mapping[str, Sequence[Drawn]]) -> str:
    """Return what plots show, by their slugs, as JSON that may stand within HTML.

    >>> as_json({"a": [Chart("</script>", Axis("x"), Axis("y"), [])]}).count("<")
    0
    """
    shown = {slug: [_plain(each) for each in drawn] for slug, drawn in plots.items()}
    text = json.dumps(shown, allow_nan=False, separators=(",", ":"))
    # Within strings alone, where this is the same letter.
    return text.replace("<", "\\u003c")


def _plain(drawn: Drawn) -> dict[str, Any]:
    if isinstance(drawn, View):
        records = [json.loads(record_line(each)) for each in drawn.records]
        return {"view": drawn.slug, "records": records}
    series = [_plain_series(each) for each in drawn.series]
    x, y = _plain_axis(drawn.x), _plain_axis(drawn.y)
    return {"title": drawn.title, "x": x, "y": y, "series": series}


def _plain_axis(axis: Axis) -> dict[str, Any]:
    names = {"names": list(axis.names)} if axis.names else {}
    ticks = {"ticks": list(axis.ticks)} if axis.ticks else {}
    counts = {"counts": True} if axis.counts else {}
    return {"label": axis.label, "unit": axis.unit, **names, **ticks, **counts}


def _plain_series(series: Series) -> dict[str, Any]:
    points = [_plain_point(each) for each in _finite(series.points)]
    plain: dict[str, Any] = {"name": series.name, "draws": series.draws.value}
    if series.colour is not None:
        plain["colour"] = f"--series-{series.colour % _COLOURS}"
    if series.size is not None:
        plain["size"] = series.size
    return {**plain, "points": points}


def _finite(points: Iterable[Point]) -> Iterator[Point]:
    """Yield the points that have a place, such as not a life without an end."""
    yield from (each for each in points if math.isfinite(each.x + each.y))


def _plain_point(point: Point) -> dict[str, Any]:
    ends = {
        name: float(end)
        for name, end in (("low", point.low), ("high", point.high))
        if end is not None and math.isfinite(end)
    }
    texts = {"label": point.label, "origin": point.origin.value, "source": point.source}
    return {"x": float(point.x), "y": float(point.y), **ends, **texts}
