# SPDX-License-Identifier: Apache-2.0
"""A capacitor with a harvester lasts as long as the harvest does."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.energy import capacitors, catalogue
from samara.energy.advise import AdviseRequest
from samara.energy.capacitors import Capacitor, Harvest
from samara.energy.catalogue import Inflow
from samara.energy.life import LifeRequest, life
from samara.energy.own_parts import NO_PARTS, own_parts
from samara.energy.quantity import Quantity, Sampled, nominal
from samara.energy.supply import YEAR_S, supply
from samara.errors import MisuseError
from samara.records import Remark, records_of

if TYPE_CHECKING:
    from pathlib import Path

DAY_S = 86_400.0


def exact(value: float) -> Quantity:
    return Quantity(value, 0.0, "made up", checked=True)


def capacitor(leakage_a: float = 0.0, day_mw: float = 2.0) -> Capacitor:
    """10 F from 3 V to 1 V: 40 J, at a mean voltage of 2 V; light for 12 hours."""
    given: Capacitor = catalogue.rows_of(Capacitor)["supercap-outdoor"]
    light = ((5.999, 0.0), (6.0, day_mw), (18.0, day_mw), (18.001, 0.0))
    return replace(
        given,
        capacitance_f=exact(10),
        full_v=exact(3),
        empty_v=exact(1),
        leakage_a=exact(leakage_a),
        resistance_ohm=exact(0),
        shelf_years=exact(10),
        harvest_by_hour=Inflow(light, 0.0, "made up", checked=True),
    )


def life_s(power_w: float, of: Capacitor | None = None) -> float:
    return float(supply((of or capacitor()).battery(), nominal).life_s(power_w))


def test_what_it_holds_is_half_of_c_by_the_squares_of_its_voltages() -> None:
    store = supply(capacitor().battery(), nominal)
    assert store.energy_j(1e-3) == pytest.approx(10 * (9 - 1) / 2)


def test_while_the_harvest_holds_the_life_is_what_makers_vouch_for() -> None:
    # 12 h with 0.9 mW are 38.9 J of 40; 2 mW for half a day are 1 mW.
    assert life_s(0.9e-3) == pytest.approx(10 * YEAR_S)


def test_a_night_that_is_too_long_ends_it() -> None:
    # Of 0.95 mW, 12 h take 41.04 J: 40 J are gone after 42,105 s.
    assert life_s(0.95e-3) == pytest.approx(40 / 0.95e-3, rel=1e-3)


def test_a_day_that_takes_more_than_it_brings_ends_it_at_last() -> None:
    """0.5 mW for half a day against 0.3 mW: 4.3 J less each day, the night takes 13."""
    found = life_s(0.3e-3, capacitor(day_mw=0.5))
    assert found == pytest.approx((40 / (0.05e-3 * DAY_S)) * DAY_S, rel=0.4)
    assert 3 * DAY_S < found < 10 * DAY_S


def test_leakage_takes_as_a_node_does() -> None:
    leaks = capacitor(leakage_a=0.1e-3)  # 0.2 mW at 2 V
    assert life_s(0.75e-3, leaks) == pytest.approx(life_s(0.95e-3), rel=1e-9)


def test_many_draws_are_what_each_of_them_is_alone() -> None:
    powers = np.array([[0.5e-3, 0.9e-3], [0.95e-3, 5e-3]])
    together = supply(capacitor().battery(), nominal).life_s(powers)
    assert np.shape(together) == (2, 2)
    assert np.ravel(together) == pytest.approx([life_s(p) for p in powers.ravel()])
    drawn = supply(NO_PARTS.battery("supercap-indoor"), Sampled(50)).life_s(100e-6)
    assert np.shape(drawn) == (50,)
    assert np.min(drawn) < np.max(drawn)


def end_by_quarters_s(stored_j: float, gained_j: list[float]) -> float:
    """Return when a capacitor is empty in the first days, each quarter by itself."""
    level = stored_j
    for quarter, gained in enumerate(gained_j * 3):
        if level + gained < 0:
            return 900 * (quarter + level / -gained)
        level = min(level + gained, stored_j)
    return math.inf


@given(
    st.lists(
        st.tuples(st.sampled_from([-3.0, -1.0, 0.0, 0.5, 4.0]), st.integers(1, 40)),
        min_size=1,
        max_size=8,
    ),
    st.floats(0.5, 60),
)
def test_quarters_that_gain_the_same_are_one_step(
    parts: list[tuple[float, int]], stored_j: float
) -> None:
    day = [gained for gained, count in parts for _ in range(count)]
    day = (day * 96)[:96]
    runs = capacitors._runs(np.array(day)[:, np.newaxis])  # noqa: SLF001 - what is counted
    assert len(runs) == 1 + sum(one != other for one, other in pairwise(day))
    found, _ = capacitors._by_step(np.array([stored_j]), np.array(day)[:, np.newaxis])  # noqa: SLF001 - as above
    assert found[0] == pytest.approx(end_by_quarters_s(stored_j, day), rel=1e-9)


@given(*[st.floats(1e-6, 1e-2)] * 2, *[st.floats(0.01, 20)] * 2)
def test_less_power_and_more_light_are_never_worse(
    one_w: float, other_w: float, dim_mw: float, bright_mw: float
) -> None:
    low, high = sorted((one_w, other_w))
    dim, bright = (capacitor(day_mw=each) for each in sorted((dim_mw, bright_mw)))
    assert life_s(low, bright) >= life_s(high, dim) * (1 - 1e-9)


def test_a_life_is_reported_with_the_harvest() -> None:
    def remarks(**given: object) -> str:
        request = LifeRequest(draws=10, **given)  # type: ignore[arg-type]
        answer = life(request)
        return "\n".join(each.text for each in answer if isinstance(each, Remark))

    holds = remarks(battery="supercap-outdoor", mac="polling", device="cortex-m4")
    assert "lasts as long as the harvest holds, and bridges" in holds
    assert "h without light" in holds
    dark = remarks(battery="supercap-indoor", mac="always-listening")
    assert "on a usual day there is no power for" in dark
    assert "ends in the first night" in dark


def test_hours_without_power_are_those_of_the_night() -> None:
    day = Harvest(np.array([0.0] * 48 + [2e-3] * 48), 0.0)
    # 20 J at 1 mW are 5.55 h of the 12; of these steps of a quarter, 26 are empty.
    assert "no power for 6.5 h" in day.in_words(1e-3, 20.0)
    assert "bridges 24 h without light" in day.in_words(0.5e-3, 0.5e-3 * DAY_S)


MINE = """
[capacitor.mine]
capacitance = "400 mF"
full = "5 V"
empty = "2 V"
resistance = "1 ohm"
leakage = "2 uA"
pulse = "100 mA"
shelf_years = 8
harvest_by_hour = { points = [["0 h", "1 mW"]], tolerance = "0 %", source = "a wheel" }
"""


def test_a_capacitor_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    request = LifeRequest(battery="mine", parts=(path,), mac="polling", draws=10)
    found = next(iter(records_of(life(request))))
    assert found.life.stated.value == pytest.approx(8)
    path.write_text(MINE.replace("2 V", "5 V"))
    with pytest.raises(MisuseError, match=r"full .5 V. has to be above empty"):
        own_parts([path])


def test_a_night_may_bring_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    day = '["6 h", "0 mW"], ["12 h", "1 mW"], ["18 h", "{}"]'
    text = MINE.replace('["0 h", "1 mW"]', day)
    path.write_text(text.replace("{}", "0 mW"))
    own = own_parts([path]).get("capacitor", "mine")
    assert own.harvest_by_hour.points == ((6.0, 0.0), (12.0, 1.0), (18.0, 0.0))
    harvest = own.harvest(nominal)
    assert harvest.by_step_w.mean() == pytest.approx(0.25e-3, rel=1e-3)
    assert harvest.by_step_w[:48].max() == 0
    path.write_text(text.replace("{}", "-1 mW"))
    with pytest.raises(MisuseError, match="with values of 0 or more: 6: 0, 12: 1, 18"):
        own_parts([path]).get("capacitor", "mine")
    none = Inflow(((0.0, 0.0),), 0.0, "made up", checked=True)
    never = replace(capacitor(), harvest_by_hour=none)
    assert life_s(1e-3, never) == pytest.approx(40e3)


def test_it_is_no_battery_that_advice_looks_for() -> None:
    names = [each.name for each in catalogue.batteries()]
    assert not any(name.startswith("supercap") for name in names)
    assert AdviseRequest(battery="supercap-outdoor").battery == "supercap-outdoor"
