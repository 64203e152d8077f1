# SPDX-License-Identifier: Apache-2.0
"""Charts of pages show the figures of the answer, with their ranges and origins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from samara.cli.shared.output_files import charts_of
from samara.cli.shared.showing import written_of
from samara.energy import charts
from samara.energy.check import CheckRequest, check
from samara.energy.depends import DependsRequest, depends
from samara.energy.life import LifeRequest, life
from samara.energy.message import MessageRequest, message
from samara.energy.messages_allowed import AirtimeRequest, messages_allowed
from samara.energy.network_lifetimes import NetworkRequest, network_lifetimes
from samara.energy.network_simulation import SimulateRequest, simulate_network
from samara.figure import Origin
from samara.records import records_of
from samara.records.charts import Chart, Draws, Point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DRAWS = 40


def answered(
    answer: Iterable[Any], of: Callable[..., list[Chart]]
) -> tuple[list[Any], list[Chart]]:
    """Return the records of an answer, and its charts as a page has them."""
    parts = list(answer)
    found = [
        each for each in charts_of(of, written_of(parts), []) if isinstance(each, Chart)
    ]
    return records_of(parts), found


def by_name(chart: Chart) -> dict[str, Point]:
    """Return the points by the name at their height."""
    points = [point for series in chart.series for point in series.points]
    return {chart.y.names[round(point.y)]: point for point in points}


def test_lives_are_in_years_between_their_quantiles() -> None:
    asked = LifeRequest(compare=("none", "6"), draws=DRAWS)
    lifetimes, (chart,) = answered(life(asked), charts.charts_of_lifetimes)
    assert chart.x.unit == "years"
    assert list(chart.y.names) == [each.name for each in lifetimes]
    points = by_name(chart)
    for each in lifetimes:
        point = points[each.name]
        years = each.life
        assert (point.low, point.x, point.high) == (
            *(years.low.value, years.median.value, years.high.value),
        )
        assert point.origin is years.median.origin
    assert points["as given"].low < points["as given"].high  # type: ignore[operator]


def test_parts_of_a_message_are_in_microjoules_and_add_up() -> None:
    asked = MessageRequest(draws=DRAWS)
    (found,), (chart,) = answered(message(asked), charts.charts_of_message)
    points = by_name(chart)
    total = points.pop("total")
    assert chart.x.unit == "µJ"
    assert total.x == pytest.approx(1e6 * found.total.value)
    assert total.low == pytest.approx(1e6 * found.low.value)
    assert sum(each.x for each in points.values()) == pytest.approx(total.x)
    assert points["listen"].x == pytest.approx(1e6 * found.parts["listen"].value)


def test_times_on_the_air_are_in_ms() -> None:
    asked = AirtimeRequest(draws=DRAWS)
    (found,), (chart,) = answered(messages_allowed(asked), charts.charts_of_airtime)
    points = by_name(chart)
    assert chart.x.unit == "ms"
    assert points["one frame"].x == 1e3 * found.frame.value
    assert points["one message"].x == 1e3 * found.transmit.value


def test_bars_of_a_tornado_are_at_their_name() -> None:
    asked = DependsRequest()
    found, (chart,) = answered(depends(asked), charts.charts_of_influences)
    assert list(chart.y.names) == [each.quantity for each in found[:14]]
    assert {each.draws for each in chart.series} == {Draws.BARS}
    points = by_name(chart)
    for each in found[:14]:
        point = points[each.quantity]
        assert {point.low, point.high} == {each.at_low, each.at_high}
        assert point.x == each.stated
        assert (point.origin is Origin.ASSUMED) is not each.checked


def test_the_model_is_beside_each_measurement_that_it_covers() -> None:
    found, (chart,) = answered(check(CheckRequest()), charts.charts_of_check)
    points = by_name(chart)
    covered = [each for each in found if each.ratio is not None]
    assert len(points) == len(covered) > 10
    for each in covered:
        point = points[f"{each.row}: {each.device}, {each.operation}"]
        assert point.x == each.ratio
        assert point.low == pytest.approx(each.low / each.measured)
        assert point.high == pytest.approx(each.high / each.measured)
    fitted = [each for each in covered if each.fitted]
    (_, series) = chart.series
    assert len(series.points) == len(fitted)


@pytest.mark.parametrize(
    ("nodes", "interval", "across", "names"),
    [
        ("10:30:10", "300:900:300", "interval", ["10 nodes", "20 nodes", "30 nodes"]),
        ("10", "300:900:300", "interval", ["10 nodes"]),
        ("10:30:10", "300", "nodes", ["networks"]),
        ("10", "300", "nodes", ["networks"]),
    ],
)
def test_networks_have_a_line_for_each_size(
    nodes: str, interval: str, across: str, names: list[str]
) -> None:
    asked = NetworkRequest(nodes=nodes, interval=interval, draws=DRAWS)
    lifetimes, (days, taken) = answered(
        network_lifetimes(asked), charts.charts_of_networks
    )
    assert days.x.label == across
    assert [each.name for each in days.series] == names
    assert (days.y.unit, taken.y.unit) == ("days", "%")
    shown = [point for series in days.series for point in series.points]
    assert sorted(each.y for each in shown) == sorted(
        each.life_days_50 for each in lifetimes
    )
    # One line has its range; those of several would hide each other.
    assert {each.low is None for each in shown} == {len(names) > 1}
    first = taken.series[0].points[0]
    assert first.y == pytest.approx(100 * lifetimes[0].taken_50)


def test_networks_that_do_not_work_have_no_point() -> None:
    asked = NetworkRequest(nodes="200", interval="1:2:1", draws=DRAWS)
    lifetimes, found = answered(network_lifetimes(asked), charts.charts_of_networks)
    assert {each.region for each in lifetimes} <= {"saturated", "illegal"}
    assert found == []


def test_many_sizes_are_thinned_out_from_the_least_to_the_largest() -> None:
    asked = NetworkRequest(nodes="1:20", interval="600:1200:600", draws=DRAWS)
    _, (days, _) = answered(network_lifetimes(asked), charts.charts_of_networks)
    names = [each.name for each in days.series]
    assert len(names) == 8
    assert (names[0], names[-1]) == ("1 nodes", "20 nodes")


def test_powers_are_of_each_node() -> None:
    asked = SimulateRequest(nodes=4, runs=2)
    parts = list(simulate_network(asked))
    made = written_of(parts)
    (chart,) = charts.charts_of_powers(made)
    events, closed = chart.series
    assert [each.x for each in closed.points] == [1, 2, 3, 4]
    assert [each.y for each in closed.points] == [
        each.closed_form_power_uw for each in made.rows
    ]
    assert [(each.low, each.y, each.high) for each in events.points] == [
        (each.events_power_uw_10, each.events_power_uw, each.events_power_uw_90)
        for each in made.rows
    ]
