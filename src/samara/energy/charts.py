# SPDX-License-Identifier: Apache-2.0
"""What the charts of pages show of answers: lives, parts of messages, networks.

The pictures that `-o` writes are apart: they are for papers.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from samara.energy.network import Region
from samara.figure import Origin
from samara.records.charts import Axis, Chart, Draws, Point, Series, point_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from samara.energy.check import CheckedMeasurement
    from samara.energy.life import BatteryLife
    from samara.energy.message import EnergyMessage
    from samara.energy.messages_allowed import MessageAirtime
    from samara.energy.network_lifetimes import NetworkLife
    from samara.energy.network_simulation import NodePower
    from samara.energy.ranges import Influence
    from samara.records.answers import Written

_SERIES = 8
"""Lines that can be distinguished."""
_INFLUENCES = 14
"""Bars of a chart; the table has all."""
_WORKING = {Region.WORKS.name.lower(): "", Region.DOUBTFUL.name.lower(): "doubtful"}
"""Networks that have a life, and what is said of them."""


def charts_of_message(made: Written) -> list[Chart]:
    """Show the parts of a message, and all of it."""
    message: EnergyMessage = made.drawn[0]
    parts = {
        str(part): point_of(0, each, 1e6)
        for part, each in message.parts.items()
        if each.value > 0
    }
    parts["total"] = point_of(0, message.total, 1e6, (message.low, message.high))
    return [_named("Energy of a message", Axis("energy", "µJ"), parts)]


def charts_of_airtime(made: Written) -> list[Chart]:
    """Show how long a frame and a message are on the air."""
    message: MessageAirtime = made.drawn[0]
    times = {
        name: point_of(0, stated, 1e3, (drawn.low, drawn.high))
        for name, stated, drawn in (
            ("one frame", message.frame, message.range.frame),
            ("one message", message.transmit, message.range.transmit),
        )
    }
    return [_named("Time on the air", Axis("time", "ms"), times)]


def charts_of_lifetimes(made: Written) -> list[Chart]:
    """Show medians of lives, between the 10 and the 90 % quantile."""
    lifetimes: Sequence[BatteryLife] = made.drawn
    points = {
        each.name: point_of(0, each.life.median, 1, (each.life.low, each.life.high))
        for each in lifetimes
    }
    title = "Life of the battery: median, and 10 to 90 % of draws"
    return [_named(title, Axis("life", "years"), points)]


def _named(title: str, across: Axis, points: dict[str, Point]) -> Chart:
    """Return a chart with a line for each name; the y of points is its figure."""
    placed = [
        Point(each.y, at, each.low, each.high, name, each.origin, each.source)
        for at, (name, each) in enumerate(points.items())
    ]
    series = Series(across.label, placed, Draws.POINTS)
    return Chart(title, across, Axis("", names=list(points)), [series])


def charts_of_influences(made: Written) -> list[Chart]:
    """Show a tornado: the strongest on top, from its 10 to its 90 % quantile."""
    found: Sequence[Influence] = made.drawn[:_INFLUENCES]
    series = [
        Series(name, [*_bars(found, checked=checked)], Draws.BARS, colour)
        for checked, name, colour in (
            (True, "checked in its source", 0),
            (False, "assumed", 1),
        )
    ]
    stated = found[0].stated
    return (
        [
            Chart(
                "What the answer depends on most: from 10 to 90 % of each quantity;"
                " the points are as stated",
                Axis("answer", found[0].unit),
                Axis("", names=[each.quantity for each in found]),
                [each for each in series if each.points],
            )
        ]
        if stated
        else []
    )


def _bars(found: Sequence[Influence], *, checked: bool) -> Iterable[Point]:
    origin = Origin.ESTIMATED if checked else Origin.ASSUMED
    for at, each in enumerate(found):
        if each.checked is checked:
            low, high = sorted((each.at_low, each.at_high))
            yield Point(each.stated, at, low, high, each.quantity, origin)


def charts_of_check(made: Written) -> list[Chart]:
    """Show the model's range by each measurement; at 1 both are the same."""
    found: Sequence[CheckedMeasurement] = made.drawn
    covered = [each for each in found if each.ratio is not None]
    names = [f"{each.row}: {each.device}, {each.operation}" for each in covered]
    series = [
        Series(name, _ratios(covered, names, fitted=fitted), Draws.POINTS, colour)
        for fitted, name, colour in (
            (False, "judges the model", 0),
            (True, "a quantity was fitted to it", 1),
        )
    ]
    return [
        Chart(
            "The model by the measurement: median, and 10 to 90 % of draws",
            Axis("model by measurement; 1: the same"),
            Axis("", names=names),
            [each for each in series if each.points],
        )
    ]


def _ratios(
    covered: Sequence[CheckedMeasurement], names: Sequence[str], *, fitted: bool
) -> list[Point]:
    return [
        Point(
            each.ratio or 0,
            at,
            (each.low or 0) / each.measured,
            (each.high or 0) / each.measured,
            name,
            Origin.ESTIMATED,
            each.source,
        )
        for at, (each, name) in enumerate(zip(covered, names, strict=True))
        if each.fitted is fitted
    ]


def charts_of_powers(made: Written) -> list[Chart]:
    """Show the power of each node of a network that was simulated."""
    rows: Sequence[NodePower] = made.rows
    closed = [_power(each, each.closed_form_power_uw) for each in rows]
    events = [
        _power(
            each,
            each.events_power_uw,
            (each.events_power_uw_10, each.events_power_uw_90),
        )
        for each in rows
    ]
    return [
        Chart(
            "Power of each node (band: 10 to 90 % of the runs)",
            Axis("node", counts=True),
            Axis("power", "µW"),
            [
                Series("events, mean of runs", events, Draws.POINTS, 1),
                Series("closed form, mean of runs", closed, Draws.LINE, 0),
            ],
        )
    ]


def _power(
    each: NodePower,
    power_uw: float,
    ends: tuple[float | None, float | None] = (None, None),
) -> Point:
    label, origin = f"node {each.node}", Origin.ESTIMATED
    return Point(each.node, power_uw, *ends, label, origin, "energy model")


def charts_of_networks(made: Written) -> list[Chart]:
    """Show lives of networks that work, and the share of them that security takes."""
    lifetimes = [each for each in made.rows if each.region in _WORKING]
    lifetimes = [each for each in lifetimes if each.life_days_50 is not None]
    by_interval = len({each.interval_s for each in made.rows}) > 1
    across = Axis("interval", "s") if by_interval else Axis("nodes", counts=True)
    series = _by_size(lifetimes) if by_interval else [("networks", lifetimes)]
    return [
        Chart(title, across, up, _lines(series, figures, by_interval=by_interval))
        for title, up, figures in (
            ("Life of networks that work", Axis("life", "days"), _days),
            ("What security takes of the life", Axis("taken", "%"), _taken),
        )
    ]


def _by_size(lifetimes: Sequence[NetworkLife]) -> list[tuple[str, list[NetworkLife]]]:
    """Return networks of some of the sizes, from the least to the largest."""
    ordered = sorted(lifetimes, key=lambda each: (each.nodes, each.interval_s))
    groups = [
        (f"{nodes} nodes", list(some))
        for nodes, some in groupby(ordered, key=lambda each: each.nodes)
    ]
    last = len(groups) - 1
    places = {round(at * last / (_SERIES - 1)) for at in range(_SERIES)}
    return [groups[at] for at in sorted(places)] if groups else []


_Range: TypeAlias = tuple[float | None, float | None, float | None]
"""The middle and the ends; None where there is no figure."""


def _days(each: NetworkLife) -> _Range:
    return each.life_days_50, each.life_days_10, each.life_days_90


def _taken(each: NetworkLife) -> _Range:
    return _percent(each.taken_50), _percent(each.taken_10), _percent(each.taken_90)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _lines(
    series: Sequence[tuple[str, Sequence[NetworkLife]]],
    figures: Callable[[NetworkLife], _Range],
    *,
    by_interval: bool,
) -> list[Series]:
    """Return a line for each; the only one has its range around it."""
    ranged = len(series) == 1
    lines = []
    for name, lifetimes in series:
        points = [
            Point(
                each.interval_s if by_interval else each.nodes,
                middle,
                low if ranged else None,
                high if ranged else None,
                _name_of(each),
                Origin.ESTIMATED,
                "energy model, closed form",
            )
            for each in lifetimes
            for middle, low, high in [figures(each)]
            if middle is not None
        ]
        lines.append(Series(name, points))
    return lines


def _name_of(each: NetworkLife) -> str:
    doubt = _WORKING[each.region]
    name = f"{each.nodes} nodes, every {each.interval_s:g} s"
    return f"{name}, {doubt}" if doubt else name
