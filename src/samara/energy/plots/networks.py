# SPDX-License-Identifier: Apache-2.0
"""Pictures: networks by contours, times by payload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.network import Region
from samara.energy.network_ranges import Bands, Networks
from samara.energy.paper_figures import PAYLOAD_BYTES
from samara.records.painting import asks_for_logarithm, plain_log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from samara.energy.paper_figures import Line

    Array = NDArray[np.float64]

_HATCHES = {
    Region.DOUBTFUL: ("..", "at its limit"),
    Region.ILLEGAL: ("//", "longer on the air than allowed"),
    Region.SATURATED: ("xx", "cannot work"),
}
_DAY_S = 86_400.0
_LEVELS = 6
_BANDS = slice(1, None, 3)
"""Levels whose range is drawn: those of all would hide each other."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of a picture: a quantity by number of nodes and interval."""

    title: str
    """With the unit."""
    values: Bands


def paint_network_lifetimes(
    figure: Figure, found: Networks, colours: Sequence[str]
) -> None:
    """Draw the lives of networks, and the share that security takes."""
    panels = panels_of(found)
    paint_networks(
        figure, found.sizes, found.intervals_s, panels, found.region, colours
    )


def panels_of(found: Networks) -> list[Panel]:
    """Return what is drawn of networks: titles with units, and values."""
    return [
        Panel("taken by security, %", found.taken * 100),
        Panel("life, days", found.life_s * (1 / _DAY_S)),
    ]


def paint_networks(
    figure: Figure,
    sizes: Sequence[int],
    intervals_s: Array,
    panels: Sequence[Panel],
    region: NDArray[np.int64],
    colours: Sequence[str],
) -> None:
    """Draw networks: contours, or a line where only nodes or only intervals vary.

    Parameters
    ----------
    panels, region
        As for `paint_contours`.
    """
    if min(len(sizes), intervals_s.size) > 1:
        paint_contours(figure, sizes, intervals_s, panels, region)
        return
    by_interval = len(sizes) == 1
    places = intervals_s if by_interval else np.array(sizes)
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for each, panel in zip(axes, panels, strict=True):
        working = _of_working(panel.values, region)
        low, middle, high = (
            values.ravel() for values in (working.low, working.middle, working.high)
        )
        if _is_range(working):
            each.fill_between(
                places, low, high, color=colours[0], alpha=0.25, linewidth=0,
                label="10 % to 90 % of draws",
            )  # fmt: skip
        each.plot(places, middle, color=colours[0], marker=".")
        for of, (_, text) in _HATCHES.items():
            here = places[region.ravel() == of]
            if here.size:
                marks = np.full(here.size, 0.02)
                each.plot(
                    here, marks, "x", color=colours[of], label=text,
                    transform=each.get_xaxis_transform(),
                )  # fmt: skip
        if each.get_legend_handles_labels()[0]:
            each.legend(fontsize=7)
        each.set(title=panel.title, xlabel="interval, s" if by_interval else "nodes")
        if by_interval and asks_for_logarithm(places):
            each.set_xscale("log")
            plain_log(each.xaxis)


def _of_working(values: Bands, region: NDArray[np.int64]) -> Bands:
    """Return the values of what works, and no number elsewhere."""
    works = region <= Region.DOUBTFUL
    return Bands(
        *(
            np.where(works, each, np.nan)
            for each in (values.low, values.middle, values.high)
        )
    )


def _is_range(values: Bands) -> bool:
    return bool(np.nanmax(values.high - values.low, initial=0.0) > 0)


def paint_contours(
    figure: Figure,
    sizes: Sequence[int],
    intervals_s: Array,
    panels: Sequence[Panel],
    region: NDArray[np.int64],
) -> None:
    """Draw contours over numbers of nodes and intervals, side by side.

    Medians are lines. Of some of them the same value is dashed, in their colour, where
    10 % and where 90 % of draws are below it: between both lines, the value is reached
    in some draws and not in others.

    Parameters
    ----------
    panels
        What each shows.
    region
        The `Region` of each: where it is not `WORKS`, it is hatched, and contours
        are drawn only where the closed form says something at all.
    """
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    handles: list[Artist] = []
    for each, panel in zip(axes, panels, strict=True):
        working = _of_working(panel.values, region)
        handles = _contours(each, sizes, intervals_s, working)
        handles += _hatched(each, sizes, intervals_s, region)
        each.set(title=panel.title, xlabel="nodes")
        if asks_for_logarithm(intervals_s):
            each.set_yscale("log")
            plain_log(each.yaxis)
    axes[0].set_ylabel("interval, s")
    if handles:
        # Below, where it hides no line.
        figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8)


def _contours(
    axes: Axes, sizes: Sequence[int], intervals_s: Array, working: Bands
) -> list[Artist]:
    """Draw contours; return what explains the dashed ones, if there are any."""
    # With Matplotlib, which is slow to load.
    from matplotlib.lines import Line2D  # noqa: PLC0415

    middle = working.middle[np.isfinite(working.middle)]
    if middle.size == 0 or middle.min() == middle.max():
        return []
    lines = axes.contour(sizes, intervals_s, working.middle.T, levels=_LEVELS)
    axes.clabel(lines, fontsize=7)
    levels = np.asarray(lines.levels)[_BANDS]
    if not _is_range(working):
        return []
    for values in (working.low, working.high):
        axes.contour(
            sizes, intervals_s, values.T, levels=levels, norm=lines.norm,
            linewidths=0.7, linestyles="dashed",
        )  # fmt: skip
    return [
        Line2D([], [], color="black", label="median of draws"),
        Line2D(
            [], [], color="black", linewidth=0.7, linestyle="dashed",
            label="some of the same values at 10 % and 90 %",
        ),
    ]  # fmt: skip


def _hatched(
    axes: Axes, sizes: Sequence[int], intervals_s: Array, region: NDArray[np.int64]
) -> list[Artist]:
    """Hatch what does not work; return what explains it."""
    # With Matplotlib, which is slow to load.
    from matplotlib.patches import Patch  # noqa: PLC0415

    handles: list[Artist] = []
    for each, (hatch, text) in _HATCHES.items():
        if not (region == each).any():
            continue
        inside = (region == each).astype(float)
        axes.contourf(
            sizes,
            intervals_s,
            inside.T,
            levels=[0.5, 1.5],
            hatches=[hatch],
            colors="none",
        )
        handles.append(Patch(hatch=hatch, facecolor="none", label=text))
    return handles


def paint_times(axes: Axes, lines: Sequence[Line], colours: Sequence[str]) -> None:
    """Draw times by payload: ours as lines, the paper's as marks at its payload.

    Parameters
    ----------
    lines
        What `samara.energy.paper.lines` returns.
    """
    for number, line in enumerate(lines):
        colour = colours[number % len(colours)]
        ours_ms = np.array(line.ours_s) * 1e3
        axes.plot(
            line.payload_bytes,
            ours_ms,
            color=colour,
            marker=".",
            label=f"{line.name}: ours",
        )
        for kind, seconds in line.published_s.items():
            filled = kind == "opt"
            axes.plot(
                PAYLOAD_BYTES,
                seconds * 1e3,
                linestyle="none",
                marker="D",
                color=colour,
                fillstyle="full" if filled else "none",
                label=f"{line.name}: the paper, {_KINDS[kind]}",
            )
    axes.set(xlabel="payload, bytes", ylabel="time at 32 MHz, ms", yscale="log")
    plain_log(axes.yaxis)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1.0))


_KINDS = {"opt": "optimised", "unopt": "not optimised"}
