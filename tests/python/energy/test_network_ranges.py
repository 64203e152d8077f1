# SPDX-License-Identifier: Apache-2.0
"""Networks as ranges: from all draws, and by all their nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara.energy import mac, topology
from samara.energy.assumptions import HONEST, Case, case
from samara.energy.contours import contours
from samara.energy.network import Region
from samara.energy.network_ranges import Bands, networks
from samara.energy.quantity import Sampled, Stratified, exact, nominal
from samara.energy.steps import result_of
from samara.energy.topology import SHAPES, Topology

if TYPE_CHECKING:
    from samara.energy.network_ranges import Networks
    from samara.energy.scenario import Scenario

INTERVALS_S = np.linspace(30.0, 3600.0, 7)
SIZES = [1, 2, 5, 12, 30]
RELAYING = sorted(
    name
    for name in mac.names()
    if mac.mac(name).relays and not name.startswith("serial")
)
ANY = st.builds(
    lambda mac, radio, battery: replace(HONEST, mac=mac, radio=radio, battery=battery),
    st.sampled_from(RELAYING),
    st.sampled_from(["at86rf231", "cc2420", "cc1350"]),
    st.sampled_from(["2xaa-alkaline", "cr2032"]),
)


def networks_of(scenario: Scenario, shape: str, **given: Any) -> Networks:  # noqa: ANN401
    drawn = case("honest", scenario, draws=given.pop("draws", 60), seed=1)
    made = SHAPES[shape]
    return result_of(
        networks(case("honest", scenario), drawn, made, SIZES, INTERVALS_S, **given)
    )


@given(ANY, st.sampled_from(list(SHAPES)))
@settings(max_examples=12, deadline=None)
def test_ranges_are_in_order_and_around_what_is_stated(
    scenario: Scenario, shape: str
) -> None:
    found = networks_of(scenario, shape)
    works = found.region <= Region.DOUBTFUL
    for bands, stated in (
        (found.life_s, found.stated_s),
        (found.taken, found.stated_taken),
    ):
        low, middle, high = (
            each[works] for each in (bands.low, bands.middle, bands.high)
        )
        assert (low <= middle).all()
        assert (middle <= high).all()
        # Tolerances are the same up and down: the median is near, well inside.
        assert (low <= stated[works]).all()
        assert (stated[works] <= high).all()
    assert (found.life_s.low[works] > 0).all()
    assert found.life_s.middle[works] == pytest.approx(found.stated_s[works], rel=0.1)


@given(ANY, st.sampled_from(list(SHAPES)))
@settings(max_examples=12, deadline=None)
def test_no_node_is_left_out(scenario: Scenario, shape: str) -> None:
    """What some of the nodes tell is what all of them tell, in each draw."""
    found = networks_of(scenario, shape, duty_max=0.01)
    sampled = Stratified(60, 1, 1)
    every = contours(
        scenario.node(sampled),
        SHAPES[shape],
        SIZES,
        INTERVALS_S,
        rpl=scenario.rpl,
        duty_max=0.01,
    )
    fails = np.asarray(every.region) > Region.DOUBTFUL
    assert np.broadcast_to(fails, (60, *found.fails.shape)).mean(
        axis=0
    ) == pytest.approx(found.fails)
    lives_s = np.asarray(
        scenario.supply(Stratified(60, 1, 2)).life_s(np.asarray(every.power_w))
    )
    expected = np.quantile(np.where(fails, 0.0, lives_s), (0.1, 0.5, 0.9), axis=0)
    for mine, all_of_it in zip(
        (found.life_s.low, found.life_s.middle, found.life_s.high),
        expected,
        strict=True,
    ):
        assert mine == pytest.approx(all_of_it)


def test_what_fails_in_one_draw_of_ten_is_not_told_to_work() -> None:
    """The duty cycle is drawn by the overhead of the modem's packets alone."""
    shape, sizes, intervals_s = topology.chain, [1], np.array([60.0, 61.0])
    scenario = replace(HONEST, radio="srf", mac="serial-radio", rpl=None)
    stated = case("honest", scenario)
    drawn = case("honest", scenario, draws=40, seed=3)
    hop = drawn.secured.hop()
    duties = np.sort(np.ravel(drawn.secured.mac.send(hop).transmit_s) / 60.0)
    assert np.unique(duties).size == 40
    for failing, expected in (
        (0, Region.WORKS),
        (3, Region.WORKS),
        (4, Region.ILLEGAL),
        (9, Region.ILLEGAL),
    ):
        limit = duties[-1] if not failing else duties[-failing - 1 : 40 - failing + 1]
        found = result_of(
            networks(
                stated, drawn, shape, sizes, intervals_s, duty_max=float(np.mean(limit))
            )
        )
        assert found.fails[0, 0] == pytest.approx(failing / 40)
        assert found.region[0, 0] == expected
        if expected == Region.WORKS:
            assert found.life_s.low[0, 0] > 0
    # As stated it fails, though hardly one draw does.
    always = result_of(
        networks(stated, drawn, shape, sizes, intervals_s, duty_max=1e-9)
    )
    assert (always.region == Region.ILLEGAL).all()
    assert (always.fails == 1).all()


def test_exact_quantities_have_a_range_of_one_value() -> None:
    for preset in ("paper-hardware", "paper-software"):
        stated = case(preset)
        found = result_of(
            networks(stated, None, topology.chain, [10, 50], INTERVALS_S[3:])
        )
        assert np.array_equal(found.life_s.low, found.stated_s)
        assert np.array_equal(found.life_s.high, found.stated_s)
        assert np.array_equal(found.taken.middle, found.stated_taken)
        assert isinstance(stated, Case)


def test_bands_are_of_the_first_axis() -> None:
    drawn = np.arange(101.0)[:, np.newaxis] * np.array([1.0, 2.0])
    bands = Bands.of(drawn) * 10.0
    assert bands.low == pytest.approx([100, 200])
    assert bands.middle == pytest.approx([500, 1000])
    assert bands.high == pytest.approx([900, 1800])


def test_strata_of_a_quantity_are_all_of_it_and_of_two_are_not_alike() -> None:
    current = replace(exact(0.010, "a data sheet"), tolerance=0.25)
    few, many = Stratified(10, seed=4), Sampled(100_000, seed=4)
    one, other = (np.asarray(few(name, current)) for name in ("one", "other"))
    assert sorted(one) == sorted(other)
    assert list(one) != list(other)
    # Each tenth of the range is drawn once.
    edges = np.quantile(np.asarray(many("one", current)), np.linspace(0, 1, 11))
    assert (np.histogram(one, edges)[0] == 1).all()
    assert few("one", exact(3.0, "a setting")) == 3.0
    assert nominal("one", current) == 0.010
    assert np.array_equal(one, np.asarray(few("one", current)))


def test_a_network_by_edges_has_a_range() -> None:
    house = topology.connected(2, [(0, 1, topology.GOOD), (1, 2, topology.GOOD)])

    def made(_: int) -> Topology:
        return house

    found = result_of(
        networks(case("honest"), case("honest", draws=50), made, [2], np.array([300.0]))
    )
    assert found.life_s.low < found.life_s.middle < found.life_s.high
