# SPDX-License-Identifier: Apache-2.0
"""Pulses end the life of a cell where its voltage in them is too low."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.energy import catalogue
from samara.energy.catalogue import Battery, Curve, Line
from samara.energy.life import life_of
from samara.energy.own_parts import own_parts
from samara.energy.pulses import Pulse, usable
from samara.energy.quantity import Sampled, nominal
from samara.energy.scenario import Scenario
from samara.energy.topology import chain

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = "made up"


def line(*points: tuple[float, float]) -> Line:
    return Line(points, 0, SOURCE, checked=True)


def cell(by_pulse: Curve | None = None) -> Battery:
    return replace(
        catalogue.battery("2xaa-alkaline"),
        voltage_by_use=line((0.0, 3.0), (0.5, 2.5), (1.0, 2.0)),
        resistance_by_use=line((0.0, 10.0), (1.0, 20.0)),
        resistance_by_pulse=by_pulse,
    )


@pytest.mark.parametrize(
    ("current_a", "least_v", "expected"),
    [
        (0.001, 1.8, 1.0),  # 2.0 V - 20 mV at the end
        (0.050, 1.8, (3.0 - 0.5 - 1.8) / (1.0 + 0.5)),
        (0.020, 2.4, (3.0 - 0.2 - 2.4) / (1.0 + 0.2)),
        (0.120, 1.8, 0.0),  # it cannot when it is fresh
        (0.120, 1.7999, (3.0 - 1.2 - 1.7999) / (1.0 + 1.2)),
    ],
)
def test_the_end_is_where_the_voltage_in_a_pulse_meets_the_least(
    current_a: float, least_v: float, expected: float
) -> None:
    found = usable(cell(), Pulse(current_a, 1.0, least_v), nominal)
    assert found == pytest.approx(expected)


def test_a_short_pulse_meets_a_share_of_the_resistance() -> None:
    half = Curve(((0.001, 0.5), (1.0, 1.0)), 0, SOURCE, checked=True)
    short = usable(cell(half), Pulse(0.1, 0.001, 1.8), nominal)
    assert short == usable(cell(), Pulse(0.05, 1.0, 1.8), nominal)


def test_many_draws_are_what_each_of_them_is_alone() -> None:
    currents = np.array([[0.001, 0.05], [0.12, 0.13]])
    together = usable(cell(), Pulse(currents, 1.0, 1.8), nominal)
    alone = [usable(cell(), Pulse(a, 1.0, 1.8), nominal) for a in currents.ravel()]
    assert np.shape(together) == (2, 2)
    assert np.ravel(together) == pytest.approx(alone)


@given(
    st.sampled_from(["cr2032", "cr2450"]),
    *[st.floats(1e-6, 0.2)] * 2,
    *[st.floats(1e-4, 5)] * 2,
    st.floats(1.0, 3.2),
)
def test_less_is_never_worse(
    name: str, one_a: float, other_a: float, one_s: float, other_s: float, least: float
) -> None:
    cells = catalogue.battery(name)
    mild = Pulse(min(one_a, other_a), min(one_s, other_s), least)
    hard = Pulse(max(one_a, other_a), max(one_s, other_s), least + 0.05)
    assert usable(cells, mild, nominal) >= usable(cells, hard, nominal) - 1e-12


def test_thirty_milliampere_take_what_texas_instruments_found() -> None:
    """9 % less capacity than with 15 mA, the mean over makers (SWRA349).

    Its pulses are short, as those of Bluetooth.
    """
    cells, draw = catalogue.battery("cr2032"), Sampled(2000)
    by_15, by_30 = (usable(cells, Pulse(a, 1e-3, 2.0), draw) for a in (0.015, 0.03))
    less = 1 - np.asarray(by_30) / np.asarray(by_15)
    assert np.quantile(less, 0.1) < 0.09 < np.quantile(less, 0.9)
    assert np.median(less) == pytest.approx(0.09, abs=0.03)


def node(**given: str) -> Scenario:
    return Scenario(device="cortex-m4", battery="cr2032", **given)  # type: ignore[arg-type]


def test_a_long_pulse_ends_a_life_before_the_cell_is_empty() -> None:
    short, long = (node(radio="cc2538", mac=mac) for mac in ("tsch", "lpl"))
    assert float(short.pulse().seconds) < 0.01
    assert float(long.pulse().seconds) > 0.25
    share = float(long.supply().pulse_share)
    assert share < float(short.supply().pulse_share) < 1
    whole = replace(long.supply(), pulse_share=1.0)
    assert long.supply().life_s(1e-3) == pytest.approx(
        share * float(whole.life_s(1e-3)), rel=0.01
    )
    sentences = "\n".join(long.doubts())
    assert f"when {share:.0%} of it is used" in sentences
    assert "falls below 2 V" in sentences


def test_a_capacitor_gives_what_the_cell_does_not() -> None:
    sx1276 = node(radio="sx1276", mac="send-only")
    assert float(sx1276.pulse().current_a) == 0.015
    assert "only with a capacitor" in "\n".join(sx1276.doubts())


def test_a_radio_that_needs_more_than_the_cell_has_needs_a_converter() -> None:
    sentences = "\n".join(node(radio="esp32-c6").doubts())
    assert "esp32-c6 needs 3 V; CR2032" in sentences
    assert "step-up converter" in sentences
    assert float(node(radio="esp32-c6").life_s(chain(1), 3600)) > 0


def test_batteries_without_lines_give_all() -> None:
    for name in ("2xaa-alkaline", "18650"):
        cells = catalogue.battery(name)
        assert usable(cells, Pulse(0.5, 2.0, 3.0), nominal) == 1.0


def test_a_draw_in_which_the_cell_carries_no_pulse_has_no_life() -> None:
    dead = replace(catalogue.battery("cr2032"), voltage_by_use=line((0.0, 1.0)))
    assert usable(dead, Pulse(0.01, 1.0, 1.8), nominal) == 0.0


def test_lines_of_a_file_of_the_user_are_read(tmp_path: Path) -> None:
    path = tmp_path / "cell.toml"
    path.write_text(
        "[battery.mine]\n"
        'capacity = "220 mAh"\nvoltage = "2.9 V"\ncutoff = "2 V"\npulse = "20 mA"\n'
        'shelf_years = 10\nself_discharge_per_year = "1 %"\n'
        'usable_by_load = { points = [["1 mA", "100 %"]], tolerance = "0 %", '
        'source = "a" }\n'
        'usable_by_temperature = { points = [["20 C", "100 %"]], tolerance = "0 %", '
        'source = "a" }\n'
        'voltage_by_use = { points = [["0 %", "3000 mV"], ["100 %", "2 V"]], '
        'tolerance = "0 %", source = "a" }\n'
        'resistance_by_use = { points = [["0 %", "20 ohm"]], tolerance = "0 %", '
        'source = "a" }\n'
    )
    mine = own_parts([path]).battery("mine")
    found = usable(mine, Pulse(0.01, 1.0, 2.3), nominal)
    assert found == pytest.approx(0.5)
    lifetimes = life_of("x", node(own=own_parts([path])), 3600, 20)  # type: ignore[arg-type]
    assert lifetimes.life.low.value > 0
