# SPDX-License-Identifier: Apache-2.0
"""Pictures of the energy model show the numbers that they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from samara.energy.network import Region
from samara.energy.network_ranges import Bands
from samara.energy.plots.message import paint_parts
from samara.energy.plots.networks import Panel, paint_networks

new_figure: Any = Figure
"""Its types know fewer attributes than what is drawn has."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


def test_stacked_parts_add_up_to_the_whole() -> None:
    values = {"data": 30.0, "security bytes": -1.0, "listen": 70.0, "sleep": 0.05}
    figure = new_figure()
    paint_parts(figure, values, COLOURS, "µJ")
    above, below = figure.axes
    ends = [bar.get_x() + bar.get_width() for bar in above.patches]
    assert ends == pytest.approx([30, 100, 100.05])
    assert [bar.get_width() for bar in below.patches] == [30, 70, 0.05]
    assert [bar.get_facecolor() for bar in above.patches] == [
        bar.get_facecolor() for bar in below.patches
    ]
    texts = [text.get_text() for text in below.texts]
    assert texts == ["30 (30.0%)", "70 (70.0%)", "0.05 (<0.1%)"]


@pytest.mark.parametrize(("sizes", "intervals"), [(3, 4), (1, 4), (3, 1), (1, 1)])
def test_what_does_not_work_has_no_line(sizes: int, intervals: int) -> None:
    region = np.full((sizes, intervals), Region.SATURATED, dtype=np.int64)
    values: Any = np.arange(1.0, sizes * intervals + 1).reshape(sizes, intervals)
    figure = new_figure()
    paint_networks(
        figure,
        range(1, sizes + 1),
        np.linspace(60.0, 600.0, intervals),
        [Panel("life, days", Bands(0.5 * values, values, 2 * values))],
        region,
        COLOURS,
    )
    (axes,) = figure.axes
    drawn = [
        y for line in axes.lines if line.get_marker() != "x" for y in line.get_ydata()
    ]
    assert np.isnan(drawn).all()
    legends = [*figure.legends, *(each for each in [axes.get_legend()] if each)]
    assert [text.get_text() for text in legends[0].get_texts()] == ["cannot work"]


def _panel(low: float, high: float) -> Panel:
    """Return 3 sizes by 4 intervals of values that grow with both."""
    middle: Any = np.add.outer(np.arange(3.0), np.arange(4.0)) + 1
    return Panel("life, days", Bands(low * middle, middle, high * middle))


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (0.8, 1.25)])
def test_ranges_are_drawn_where_there_are_some(low: float, high: float) -> None:
    works = np.full((3, 4), Region.WORKS, dtype=np.int64)
    many, one = new_figure(), new_figure()
    intervals = np.linspace(60.0, 600.0, 4)
    panel = _panel(low, high)
    paint_networks(many, range(1, 4), intervals, [panel], works, COLOURS)
    dashed = [each for each in many.axes[0].collections if each.get_linewidth()[0] < 1]
    assert len(dashed) == (2 if high > low else 0)
    # A line that is dashed is one of those that are not.
    solid = {level for each in many.axes[0].collections[:1] for level in each.levels}
    assert {level for each in dashed for level in each.levels} <= solid
    one_size = Panel("", Bands(*(each[:1] for each in (
        panel.values.low, panel.values.middle, panel.values.high))))  # fmt: skip
    paint_networks(one, range(1, 2), intervals, [one_size], works[:1], COLOURS)
    (axes,) = one.axes
    drawn = [each for each in axes.collections if "90 %" in str(each.get_label())]
    assert len(drawn) == (1 if high > low else 0)
    for band in drawn:
        ends = band.get_paths()[0].vertices[:, 1]
        assert (ends.min(), ends.max()) == pytest.approx((low * 1.0, high * 4.0))


@pytest.mark.parametrize(("longest_s", "scale"), [(100.0, "linear"), (3600.0, "log")])
def test_intervals_far_apart_have_a_logarithmic_axis(
    longest_s: float, scale: str
) -> None:
    intervals_s = np.linspace(60.0, longest_s, 4)
    values = np.add.outer(np.arange(1.0, 3.0), np.arange(4.0))
    region = np.zeros(values.shape, dtype=np.int64)
    panels = [Panel("life, days", Bands(values, values, values))]
    contours, line = new_figure(), new_figure()
    paint_networks(contours, [10, 20], intervals_s, panels, region, COLOURS)
    assert contours.axes[0].get_yscale() == scale
    assert contours.axes[0].get_xscale() == "linear"
    one = [Panel("life, days", Bands(*[values[:1]] * 3))]
    paint_networks(line, [10], intervals_s, one, region[:1], COLOURS)
    assert line.axes[0].get_xscale() == scale
