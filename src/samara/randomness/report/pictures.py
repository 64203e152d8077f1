# SPDX-License-Identifier: Apache-2.0
"""The pictures of the report: histograms of p-values, and proportions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.randomness.judging import ALPHA, CLASSES
from samara.randomness.reading import grouped
from samara.randomness.report.tables import slug_of
from samara.records.drawing import GRID, MUTED, SERIES, draw
from samara.records.parts import Plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.randomness.described import Summary
    from samara.randomness.judging import Judged
    from samara.randomness.reading import Group

_ACROSS = 5
_WIDTH = 8.4


def histograms(summary: Summary) -> Plot:
    """Draw how the p-values of each of NIST's tests are distributed."""
    groups = grouped(summary.verdict)
    title = "Distribution of p-values"

    def paint(figure: Figure) -> None:
        down = -(-len(groups) // _ACROSS)
        grid = figure.subplots(down, _ACROSS, squeeze=False, sharex=True)
        for axes, group in zip(grid.flat, groups, strict=False):
            _paint_histogram(axes, group)
        for axes in list(grid.flat)[len(groups) :]:
            axes.set_axis_off()

    slug = f"{slug_of(summary.settings)}-histograms"
    svg = draw(slug, paint, (_WIDTH, 4.4), title)
    caption = (
        "Share of p-values in each tenth from 0 to 1, of all parts of a test together."
        " Those of random bits are uniform: 0.1 each, the line."
    )
    return Plot(slug, title, svg, caption)


def _paint_histogram(axes: Axes, group: Group) -> None:
    axes.set_title(group.name, fontsize=7.5)
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    total = sum(group.histogram)
    if not total:
        axes.text(0.5, 0.05, "not judged", ha="center", color=MUTED)
        axes.set_ylim(0, 0.2)
        return
    shares = [count / total for count in group.histogram]
    places = [(i + 0.5) / CLASSES for i in range(CLASSES)]
    axes.bar(places, shares, 0.09, color=SERIES[1 if group.fails else 0])
    axes.axhline(1 / CLASSES, color=MUTED, linewidth=0.8)
    axes.set_ylim(0, max(0.2, *shares))


def proportions(summary: Summary) -> Plot:
    """Draw the share of sequences that passes, a point for each p-value."""
    tests = [test for test in summary.verdict.tests if test.sequences]
    title = "Share of sequences that passes"

    def paint(figure: Figure) -> None:
        _paint_proportions(figure.subplots(), tests)

    slug = f"{slug_of(summary.settings)}-proportions"
    svg = draw(slug, paint, (_WIDTH, 2.6), title)
    caption = (
        "One point for each p-value, in the order of the table of all p-values. Lines:"
        " NIST's interval around 0.99, three standard deviations, wider for the random"
        " excursions, which apply to fewer sequences."
    )
    return Plot(slug, title, svg, caption)


def _paint_proportions(axes: Axes, tests: Sequence[Judged]) -> None:
    places = range(len(tests))
    axes.step(places, [test.low for test in tests], color=MUTED, linewidth=0.8)
    axes.step(places, [test.high for test in tests], color=MUTED, linewidth=0.8)
    axes.axhline(1 - ALPHA, color=GRID)
    for fails, colour in ((False, SERIES[0]), (True, SERIES[1])):
        own = [i for i in places if bool(tests[i].failed) is fails]
        shares = [tests[i].passed / tests[i].sequences for i in own]
        axes.scatter(own, shares, s=8, color=colour, zorder=3)
    axes.set_xlabel("p-value")
