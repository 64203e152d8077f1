# SPDX-License-Identifier: Apache-2.0
"""Pictures of answers: bars of parts, ranges, and what an answer depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from samara.energy.ranges import Influence, Range

    Array = NDArray[np.float64]


def paint_parts(
    axes: Axes, values: Mapping[str, float], colour: str, unit: str
) -> None:
    """Draw a bar for each part, the first on top; the axis is logarithmic."""
    names = [name for name, value in values.items() if value > 0]
    bars = axes.barh(names, [values[name] for name in names], color=colour)
    axes.bar_label(bars, fmt="%.3g", fontsize=7, padding=2)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel=unit)
    axes.margins(x=0.15)


def paint_ranges(
    axes: Axes, ranges: Mapping[str, Range], colour: str, unit: str
) -> None:
    """Draw medians with whiskers from the 10 to the 90 % quantile."""
    middle = np.array([each.middle for each in ranges.values()])
    below = middle - [each.low for each in ranges.values()]
    above = np.array([each.high for each in ranges.values()]) - middle
    axes.errorbar(
        middle, list(ranges), xerr=[below, above], fmt="o", color=colour, capsize=3
    )
    axes.invert_yaxis()
    axes.set(xlabel=f"{unit}; 10, 50 and 90 % of draws are below")
    axes.margins(y=0.2)


def paint_influences(
    axes: Axes, found: Sequence[Influence], colours: Sequence[str], unit: str
) -> None:
    """Draw a tornado: the strongest on top, from its 10 to its 90 % quantile."""
    names = [each.quantity for each in found]
    lows = [min(each.at_low, each.at_high) for each in found]
    colour = [colours[0] if each.checked else colours[1] for each in found]
    axes.barh(names, [each.swing for each in found], left=lows, color=colour)
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=7)
    axes.set(xlabel=f"{unit}; blue: checked in its source")


def paint_powers(
    axes: Axes, closed_w: Array, events_w: Array, colours: Sequence[str]
) -> None:
    """Draw the power of each node, by the closed form and by events."""
    nodes = np.arange(1, closed_w.size + 1)
    axes.plot(nodes, closed_w * 1e6, color=colours[0], label="closed form")
    axes.plot(nodes, events_w * 1e6, ".", color=colours[1], label="events")
    axes.set(xlabel="node", ylabel="power, µW")
    axes.legend()
