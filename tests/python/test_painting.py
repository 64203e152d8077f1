# SPDX-License-Identifier: Apache-2.0
"""Pictures of charts show the points, ranges and names that the charts have."""

from __future__ import annotations

import math
from typing import Any

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from samara.figure import Origin
from samara.records.charts import Axis, Chart, Draws, Point, Series, curve, line
from samara.records.painting import paint_charts

new_figure: Any = Figure
"""Its types know fewer attributes than what is drawn has."""
COLOURS = ("#0072B2", "#D55E00", "#009E73")


def painted(*charts: Chart) -> Any:  # noqa: ANN401 - as `new_figure`
    figure = new_figure()
    paint_charts(figure, charts, COLOURS)
    return figure


def chart(*series: Series, x: Axis | None = None, y: Axis | None = None) -> Chart:
    return Chart("title", x or Axis("time", "s"), y or Axis("power", "W"), series)


def test_no_chart_is_an_empty_picture() -> None:
    assert painted().axes == []


def test_each_bar_of_a_tornado_is_beside_its_name() -> None:
    names = ["a", "b", "c"]
    checked = [Point(3, 0, 1, 5), Point(3, 2, 2.5, 3.5)]
    bars = Series("checked", checked, Draws.BARS, 0)
    others = Series("assumed", [Point(3, 1, 2, 4)], Draws.BARS, 1)
    (axes,) = painted(chart(bars, others, x=Axis("life", "years"),
                            y=Axis("", names=names))).axes  # fmt: skip
    shown = {
        names[round(bar.get_y() + bar.get_height() / 2)]: (
            bar.get_x(),
            bar.get_width(),
            to_hex(bar.get_facecolor()).upper(),
        )
        for bar in axes.patches
    }
    assert shown == {
        "a": (1, 4, COLOURS[0]), "b": (2, 2, COLOURS[1]), "c": (2.5, 1, COLOURS[0])
    }  # fmt: skip
    assert [each.get_text() for each in axes.get_yticklabels()] == names
    low, high = axes.get_ylim()
    assert low > high, "the first one is on top"
    assert axes.get_xlabel() == "life, years"
    legend = [each.get_text() for each in axes.get_legend().get_texts()]
    assert legend == ["checked", "assumed"]
    assert list(axes.lines[0].get_xdata()) == [3, 3]


@pytest.mark.parametrize("named", [True, False])
def test_a_range_reaches_from_low_to_high(*, named: bool) -> None:
    point = Point(4, 0, 3, 8) if named else Point(1, 4, 3, 8)
    without = Point(5, 1) if named else Point(2, 5)
    y = Axis("", names=["a", "b"]) if named else Axis("power", "W")
    series = Series("s", [point, without], Draws.POINTS)
    (axes,) = painted(chart(series, y=y)).axes
    (errors,) = axes.collections
    segments = [each.tolist() for each in errors.get_segments()]
    if named:
        assert segments == [[[3, 0], [8, 0]], [[5, 1], [5, 1]]]
    else:
        assert segments == [[[1, 3], [1, 8]], [[2, 5], [2, 5]]]
    assert axes.get_legend() is None


@pytest.mark.parametrize(("last", "scale"), [(19.0, "linear"), (20.0, "log")])
def test_values_far_apart_have_a_logarithmic_axis(last: float, scale: str) -> None:
    (axes,) = painted(chart(line("s", [1, last], [1, 2]))).axes
    assert (axes.get_xscale(), axes.get_yscale()) == (scale, "linear")
    (axes,) = painted(chart(line("s", [1, 2], [1, last]))).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", scale)
    counted = Axis("nodes", counts=True)
    (axes,) = painted(chart(line("s", [1, last], [1, 2]), x=counted)).axes
    assert axes.get_xscale() == "linear"


def test_what_has_no_place_is_left_out() -> None:
    series = line("s", [1, 2, 3], [1, math.inf, 3])
    (axes,) = painted(chart(series)).axes
    assert axes.lines[0].get_xydata().tolist() == [[1, 1], [3, 3]]


def test_looks_tell_lines_points_and_what_was_published() -> None:
    published = Point(1, 1, origin=Origin.PUBLISHED)
    (axes,) = painted(
        chart(
            line("marked", [1, 2], [1, 2]),
            curve("unmarked", [1, 2], [1, 2]),
            Series("points", [Point(1, 1)], Draws.POINTS),
            Series("published", [published], Draws.POINTS),
        )
    ).axes
    looks = [
        (each.get_linestyle(), each.get_marker(), each.get_fillstyle())
        for each in axes.lines
    ]
    assert looks == [
        ("-", ".", "full"),
        ("-", "none", "full"),
        ("None", "o", "full"),
        ("None", "o", "none"),
    ]


def test_series_have_their_colours_and_the_last_is_grey() -> None:
    lines = [line("s", [1, 2], [1, 2], colour) for colour in (1, None, 3, 4)]
    (axes,) = painted(chart(*lines)).axes
    shown = [each.get_color() for each in axes.lines]
    assert shown == [COLOURS[1], COLOURS[1], "#777777", COLOURS[0]]


@pytest.mark.parametrize(("last", "whole"), [(3.0, True), (3.5, False)])
def test_whole_numbers_have_whole_ticks(last: float, *, whole: bool) -> None:
    (axes,) = painted(chart(line("s", [1, 2, last], [1, 2, 3]))).axes
    assert all(each == int(each) for each in axes.get_xticks()) is whole


def test_a_picture_has_room_for_each_chart_and_name() -> None:
    one, many = ([f"name {n}" for n in range(count)] for count in (1, 30))
    series = Series("s", [Point(1, 0)], Draws.POINTS)
    heights = [
        painted(chart(series, y=Axis("", names=names))).get_size_inches()[1]
        for names in (one, many)
    ]
    assert heights == pytest.approx([1.32, 7.7])
    both = painted(chart(line("s", [1], [1])), chart(series, y=Axis("", names=one)))
    assert both.get_size_inches().tolist() == pytest.approx([7.2, 4.92])
    assert len(both.axes) == 2
