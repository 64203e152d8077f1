# SPDX-License-Identifier: Apache-2.0
"""Pictures of answers: bars of parts, ranges, and what an answer depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.energy.quantity import QUANTILES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from samara.energy.life import BatteryLife
    from samara.energy.message import EnergyMessage
    from samara.energy.messages_allowed import MessageAirtime
    from samara.energy.ranges import Influence
    from samara.energy.simulated import Simulated

    Array = NDArray[np.float64]


def paint_message(
    figure: Figure, found: Sequence[EnergyMessage], colours: Sequence[str]
) -> None:
    """Draw the parts of one message."""
    figure.set_size_inches(7.2, 4.2)
    parts_uj = {str(part): each.value * 1e6 for part, each in found[0].parts.items()}
    paint_parts(figure, parts_uj, colours, "µJ a message")


def paint_parts(
    figure: Figure, values: Mapping[str, float], colours: Sequence[str], unit: str
) -> None:
    """Draw parts stacked to their whole, and below each of them for itself.

    The lower axis is logarithmic: small parts can be read there.
    """
    shown = {name: value for name, value in values.items() if value > 0}
    whole = sum(shown.values())
    palette = dict(zip(values, [*colours, *_MORE], strict=False))
    above, below = figure.subplots(2, 1, height_ratios=(1, 6))
    begin = 0.0
    for name, value in shown.items():
        above.barh([""], [value], left=begin, color=palette[name])
        begin += value
    above.set(title=f"{whole:,.0f} {unit}", xlim=(0, whole))
    bars = below.barh(
        list(shown), list(shown.values()), color=[palette[name] for name in shown]
    )
    below.bar_label(
        bars,
        [f"{_plain(value)} ({_share(value / whole)})" for value in shown.values()],
        fontsize=7,
        padding=2,
    )
    below.invert_yaxis()
    below.set(xscale="log", xlabel=unit)
    below.margins(x=0.25)
    plain_log(below.xaxis, subs=(1.0,))


_MORE = ("#777777", "#332288", "#999933")
"""Colours behind those that pictures have."""


def paint_airtime(
    figure: Figure, found: Sequence[MessageAirtime], colours: Sequence[str]
) -> None:
    """Draw bars for one frame and, below it, for one message."""
    axes = figure.subplots()
    message = found[0]
    times_ms = [message.frame.value * 1e3, message.transmit.value * 1e3]
    names = ["one frame", "one message"]
    bars = axes.barh(names, times_ms, color=colours[0], height=0.5)
    axes.bar_label(bars, [_plain(value) for value in times_ms], padding=2)
    axes.invert_yaxis()
    axes.set(xlabel="ms on the air")
    axes.margins(x=0.15)


def _plain(value: float) -> str:
    """Return three digits, without an exponent.

    >>> _plain(125262.8), _plain(53.25), _plain(0.1623)
    ('125,000', '53.2', '0.162')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= _WHOLE else f"{rounded:g}"


_WHOLE = 100


def _share(value: float) -> str:
    """Return a share in percent; what is less than a tenth of one, as that.

    >>> _share(0.0312), _share(0.0004)
    ('3.1%', '<0.1%')
    """
    return "<0.1%" if value < _TENTH_PERCENT else f"{value:.1%}"


_TENTH_PERCENT = 0.001


def plain_log(axis: Axis, subs: Sequence[float] = (1.0, 2.0, 5.0)) -> None:
    """Write the numbers of a logarithmic axis without exponents."""
    # With Matplotlib, which is slow to load.
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: PLC0415

    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def paint_lifetimes(
    figure: Figure, lifetimes: Sequence[BatteryLife], colours: Sequence[str]
) -> None:
    """Draw medians of years with whiskers from the 10 to the 90 % quantile."""
    axes = figure.subplots()
    middle = np.array([each.life.median.value for each in lifetimes])
    below = middle - [each.life.low.value for each in lifetimes]
    above = np.array([each.life.high.value for each in lifetimes]) - middle
    axes.errorbar(
        middle,
        [each.name for each in lifetimes],
        xerr=[below, above],
        fmt="o",
        color=colours[0],
        capsize=3,
    )
    axes.invert_yaxis()
    axes.set(xlabel="years; 10, 50 and 90 % of draws are below")
    axes.margins(y=0.2)


def paint_influences(
    figure: Figure, found: Sequence[Influence], colours: Sequence[str]
) -> None:
    """Draw a tornado: the strongest on top, from its 10 to its 90 % quantile."""
    axes = figure.subplots()
    shown = found[:_INFLUENCES]
    for checked, label in ((True, "checked in its source"), (False, "assumed")):
        these = [(y, each) for y, each in enumerate(shown) if each.checked is checked]
        axes.barh(
            [y for y, _ in these],
            [each.swing for _, each in these],
            left=[min(each.at_low, each.at_high) for _, each in these],
            color=colours[0] if checked else colours[1],
            label=label,
        )
    axes.set_yticks(range(len(shown)), [each.quantity for each in shown], fontsize=7)
    axes.invert_yaxis()
    axes.axvline(found[0].stated, color="#000000", linewidth=0.8)
    axes.set(xlabel=f"{found[0].unit}; the line: as stated")
    axes.legend(fontsize=7, loc="lower right")


_INFLUENCES = 14
"""That a picture holds; the table and the CSV file have all."""


def paint_simulated(figure: Figure, found: Simulated, colours: Sequence[str]) -> None:
    """Draw the power of each node of a network that was simulated."""
    paint_powers(
        figure.subplots(),
        found.closed_by_node_w,
        found.events_by_node_w,
        found.bands_by_node_uw(QUANTILES) / 1e6,
        colours,
    )


def paint_powers(
    axes: Axes,
    closed_w: Array,
    events_w: Array,
    bands_w: Array,
    colours: Sequence[str],
) -> None:
    """Draw the power of each node, by the closed form and by events.

    Parameters
    ----------
    closed_w, events_w
        Means over all runs.
    bands_w
        The 10, 50 and 90 % quantiles of the runs by events.
    """
    nodes = np.arange(1, closed_w.size + 1)
    low, _, high = bands_w * 1e6
    axes.vlines(
        nodes, low, high, color=colours[1], alpha=0.4, label="10 % to 90 % of runs"
    )
    axes.step(
        nodes, closed_w * 1e6, where="mid", color=colours[0],
        label="closed form, mean of runs",
    )  # fmt: skip
    axes.plot(
        nodes, events_w * 1e6, ".", color=colours[1], label="events, mean of runs"
    )
    axes.set(xlabel="node", ylabel="power, µW")
    axes.legend()
