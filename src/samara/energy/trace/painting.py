# SPDX-License-Identifier: Apache-2.0
"""The picture of a trace: an overview, charges of events, and their shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.energy.bars import plain_log
from samara.energy.trace.finding import SHAPES_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.energy.trace.analysis import Found

_SHOWN = 6
_BINS = 80


def paint_trace(figure: Figure, found: Found, colours: Sequence[str]) -> None:
    """Draw a trace, the charges of its events, and the mean shape of each kind."""
    grid = figure.add_gridspec(2, 2)
    _paint_overview(figure.add_subplot(grid[0, :]), found, colours)
    _paint_charges(figure.add_subplot(grid[1, 0]), found, colours)
    _paint_shapes(figure.add_subplot(grid[1, 1]), found, colours)


def _paint_overview(axes: Axes, found: Found, colours: Sequence[str]) -> None:
    times, means = found.overview.means()
    axes.plot(times, means * 1e6, color=colours[0], linewidth=0.6, label="all")
    times, means = found.finder.windows.means()
    axes.plot(times, means * 1e6, color=colours[1], linewidth=0.9, label="asleep")
    length = found.overview.length_s
    axes.set(
        title=f"means of {length:.3g} s", xlabel="time, s",
        ylabel="current, \N{MICRO SIGN}A",
    )  # fmt: skip
    if (means > 0).any():
        axes.set_yscale("log")
        plain_log(axes.yaxis, subs=(1.0,))
    axes.legend(fontsize=7)


def _paint_charges(axes: Axes, found: Found, colours: Sequence[str]) -> None:
    charges = found.above_sleep_c * 1e6
    shown = charges[charges > 0]
    axes.set(title="charge of events", xlabel="\N{MICRO SIGN}C", ylabel="events")
    if not shown.size:
        return
    low, high = float(shown.min()), float(shown.max())
    edges = np.geomspace(low * 0.97, high * 1.03, _BINS).tolist()
    for number, kind in enumerate(found.kinds[:_SHOWN]):
        axes.hist(
            charges[kind.members], edges,
            color=colours[number % len(colours)], label=kind.name, alpha=0.8,
        )  # fmt: skip
    axes.hist(charges[found.rest], edges, color="#777777", label="other")
    axes.set_xscale("log")
    axes.set_yscale("log")
    plain_log(axes.xaxis)
    plain_log(axes.yaxis, subs=(1.0,))
    axes.legend(fontsize=6)


def _paint_shapes(axes: Axes, found: Found, colours: Sequence[str]) -> None:
    axes.set(title="mean shape of an event", xlabel="time, ms", ylabel="current, mA")
    for number, kind in enumerate(found.kinds[:_SHOWN]):
        kept = kind.members[kind.members < SHAPES_MAX]
        if not kept.size:
            continue
        shape = found.events.shapes_a[kept].mean(axis=0) * 1e3
        span_ms = float(found.events.spans_s[kind.members].mean()) * 1e3
        times = (np.arange(shape.size) + 0.5) / shape.size * span_ms
        colour = colours[number % len(colours)]
        axes.plot(times, shape, color=colour, label=kind.name, linewidth=1.0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=6)
