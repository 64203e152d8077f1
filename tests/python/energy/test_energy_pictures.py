# SPDX-License-Identifier: Apache-2.0
"""Pictures of the energy model show the numbers that they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from samara.energy.bars import paint_influences, paint_parts
from samara.energy.network import Region
from samara.energy.pictures import paint_networks
from samara.energy.ranges import Influence

new_figure: Any = Figure
"""Its types know fewer attributes than what is drawn has."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


def test_each_bar_of_a_tornado_is_beside_its_name() -> None:
    found = [
        Influence("a", 1.0, 5.0, checked=False),
        Influence("b", 4.0, 2.0, checked=True),
        Influence("c", 2.5, 3.5, checked=False),
    ]
    axes = new_figure().subplots()
    paint_influences(axes, found, 3.0, COLOURS, "years")
    names = {tick.get_text(): y for tick, y in zip(
        axes.get_yticklabels(), axes.get_yticks(), strict=True)}  # fmt: skip
    bars = {
        round(bar.get_y() + bar.get_height() / 2): (bar.get_x(), bar.get_width())
        for bar in axes.patches
    }
    assert {name: bars[y] for name, y in names.items()} == {
        "a": (1, 4), "b": (2, 2), "c": (2.5, 1)
    }  # fmt: skip
    low, high = axes.get_ylim()
    assert low > high, "the strongest is on top"


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
    values = np.arange(1.0, sizes * intervals + 1).reshape(sizes, intervals)
    figure = new_figure()
    paint_networks(
        figure,
        range(1, sizes + 1),
        np.linspace(60.0, 600.0, intervals),
        [("life, days", values)],
        region,
        COLOURS,
    )
    (axes,) = figure.axes
    drawn = [
        y for line in axes.lines if line.get_marker() != "x" for y in line.get_ydata()
    ]
    assert np.isnan(drawn).all()
    legends = [*figure.legends, *(each for each in [axes.get_legend()] if each)]
    assert [text.get_text() for text in legends[0].get_texts()] == ["saturated"]
