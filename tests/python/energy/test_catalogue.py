# SPDX-License-Identifier: Apache-2.0
"""Catalogues: what a row has to have, and the data sheets' numbers held twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from samara.bench import devices
from samara.crypto.names import UnknownNameError
from samara.energy import catalogue
from samara.energy.life import life_of
from samara.energy.quantity import Quantity, nominal
from samara.energy.scenario import Scenario
from samara.energy.supply import Store, supply
from samara.errors import MisuseError
from samara.toml_rows import row_of

if TYPE_CHECKING:
    from collections.abc import Iterator

YEAR_S = 365.25 * 86_400
# V, mA sending, receiving, idle; µA asleep; µs to start; kbit/s; bytes in front.
RADIOS = {
    # AT86RF231 data sheet 8111C, features page; the start from table 7-1.
    "at86rf231": (3.0, 14.0, 12.3, 0.4, 0.02, 380, 250, 6),
    "at86rf231-0dbm": (3.0, 11.6, 12.3, 0.4, 0.02, 380, 250, 6),
    # CC2420 data sheet SWRS041.
    "cc2420": (3.0, 17.4, 18.8, 0.426, 0.02, 860, 250, 6),
    # CC2538 data sheet SWRS096D: power modes 1 and 2.
    "cc2538": (3.0, 24.0, 20.0, 0.6, 1.3, 136, 250, 6),
    # nRF52840 product specification; asleep: measured, the whole chip, its RAM kept.
    "nrf52840": (3.0, 6.4, 6.53, 0.5, 3.19, 360, 250, 6),
    "nrf52840-thread13": (3.0, 6.4, 6.53, 0.5, 3.19, 360, 250, 6),
    # nRF52833 product specification; all else as the nRF52840.
    "nrf52833": (3.0, 6.0, 6.2, 0.5, 3.19, 360, 250, 6),
    # CC1101 data sheet SWRS061I; 868 MHz, +10 dBm.
    "cc1101": (3.0, 30.0, 16.9, 1.7, 0.2, 240, 250, 9),
    # CC1350 data sheet SWRS183B, power consumption summary; 868 MHz, +10 dBm.
    "cc1350": (3.6, 13.4, 5.4, 0.57, 0.7, 400, 50, 8),
    # SX1261/2 data sheet; STM32WLE5 DS13105 for receiving; +14 dBm.
    "sx1262": (3.3, 45.0, 4.82, 0.6, 0.6, 340, 50, 9),
    # SX1276 data sheet; an RFM96 measured at 14 dBm.
    "rfm95": (3.3, 63.7, 9.9, 1.6, 0.2, 310, 50, 9),
    # nRF52832 product specification, DC/DC; the rest as of the nRF52840.
    "nrf52832": (3.0, 5.3, 5.4, 0.5, 1.9, 360, 1000, 5),
    # CC2340R5 data sheet SWRS272, front page; idle and start assumed.
    "cc2340r5": (3.0, 5.1, 5.3, 1.1, 0.71, 400, 1000, 5),
    # CC1110Fx data sheet SWRS033.
    "srf": (3.0, 36.2, 20.5, 4.8, 0.5, 400, 250, 13),
    # Features of data sheets, as the sources of the rows quote them.
    "cc1352": (3.6, 24.9, 5.8, 0.675, 0.85, 400, 50, 8),
    "cc2652": (3.0, 7.3, 6.9, 0.675, 1.0, 400, 250, 6),
    "efr32xg24": (3.0, 5.0, 5.1, 0.9, 1.3, 400, 250, 6),
    "nrf54l15": (3.0, 4.8, 3.4, 0.5, 2.9, 300, 250, 6),
    "esp32-c6": (3.3, 119, 74, 20, 53, 1000, 250, 6),
    "esp32-h2": (3.3, 40, 24, 10, 25, 1000, 250, 6),
    "sx1276": (3.3, 63.7, 9.9, 1.6, 0.2, 310, 50, 9),
    "hc-12": (3.3, 100, 16, 3.6, 22, 40_000, 15, 13),
    "xbee": (3.3, 35, 38, 15, 1.0, 13_200, 250, 6),
}
# What was read in its source, and not remembered; settings are not listed.
CHECKED = {
    "at86rf231": "supply_v transmit_a receive_a idle_a sleep_a turnaround_s",
    "at86rf231-0dbm": "supply_v receive_a idle_a sleep_a turnaround_s",
    "cc2420": "transmit_a receive_a turnaround_s",
    "cc2538": "turnaround_s",
    "nrf52840": "supply_v transmit_a receive_a sleep_a turnaround_s",
    "nrf52840-thread13": "supply_v transmit_a receive_a sleep_a turnaround_s",
    "nrf52833": "supply_v transmit_a receive_a sleep_a turnaround_s",
    "cc1101": "supply_v idle_a sleep_a",
    "cc1350": "transmit_a receive_a idle_a sleep_a",
    "sx1262": "receive_a sleep_a",
    "rfm95": "supply_v transmit_a receive_a sleep_a",
    "nrf52832": "turnaround_s",
    "cc2340r5": "turnaround_s",
    "srf": "",
    "cc1352": "transmit_a receive_a sleep_a",
    "cc2652": "supply_v receive_a sleep_a turnaround_s",
    "efr32xg24": "transmit_a receive_a sleep_a turnaround_s",
    "nrf54l15": "supply_v transmit_a receive_a sleep_a turnaround_s",
    "esp32-c6": "sleep_a turnaround_s",
    "esp32-h2": "turnaround_s",
    "sx1276": "supply_v transmit_a receive_a sleep_a",
    "hc-12": "supply_v transmit_a receive_a sleep_a",
    "xbee": "supply_v transmit_a receive_a sleep_a turnaround_s",
}
CHARGES = {"event_c", "send_c", "sense_c", "connection_c"}
SETTINGS = {"bit_rate", "overhead_bytes", "minimum_v", *CHARGES}
LEAST_V = {
    "cc2420": 2.1, "cc2538": 2.0, "nrf52840": 1.7, "nrf52840-thread13": 1.7,
    "nrf52833": 1.7, "nrf52832": 1.7, "cc2340r5": 1.71, "efr32xg24": 1.71,
    "nrf54l15": 1.7, "esp32-c6": 3.0, "esp32-h2": 3.0, "hc-12": 3.2, "xbee": 2.1,
}  # fmt: skip


# Fields that a row may leave out.
LEFT_OUT = frozenset(
    {"event_c", "links", "processor", "software", "waveforms", "minimum"}
    | {"voltage_by_use", "resistance_by_use", "resistance_by_pulse"}
)


def quantities(row: object) -> dict[str, Quantity]:
    named = {name: getattr(row, name) for name in row.__dataclass_fields__}  # type: ignore[attr-defined]
    return {name: each for name, each in named.items() if isinstance(each, Quantity)}


@pytest.mark.parametrize("name", RADIOS)
def test_radios_are_those_of_their_data_sheets(name: str) -> None:
    radio = catalogue.radio(name)
    assert RADIOS[name] == pytest.approx(
        (
            radio.supply_v.value,
            radio.transmit_a.value * 1e3,
            radio.receive_a.value * 1e3,
            radio.idle_a.value * 1e3,
            radio.sleep_a.value * 1e6,
            radio.start_s.value * 1e6,
            radio.bit_rate.value / 1e3,
            radio.overhead_bytes.value,
        )
    )
    found = {key for key, each in quantities(radio).items() if each.checked}
    assert found - SETTINGS == set(CHECKED[name].split())


def test_radios_run_down_to_what_their_data_sheets_state() -> None:
    found = {each.name: each.minimum_v.value for each in catalogue.radios()}
    assert found == {**dict.fromkeys(RADIOS, 1.8), **LEAST_V}


def test_no_radio_is_left_out() -> None:
    assert [radio.name for radio in catalogue.radios()] == list(RADIOS)


def test_every_device_of_the_bench_has_a_controller() -> None:
    names = [device.name for device in devices.devices()]
    assert [row.name for row in catalogue.controllers()] == names


@pytest.mark.parametrize(
    "row",
    [
        *catalogue.radios(),
        *catalogue.controllers(),
        *catalogue.batteries(),
        *catalogue.bands(),
    ],
    ids=lambda row: str(row.name),
)
def test_quantities_have_a_source(row: catalogue.Radio) -> None:
    for name, each in quantities(row).items():
        assert len(each.source) > 5, name
        assert 0 <= each.tolerance <= 1, name
        # What is not checked may be off, and says so.
        is_bound = name in {"cutoff_v", "minimum_v"}
        assert each.checked or each.tolerance or is_bound, name


def test_states_are_in_order() -> None:
    for radio in catalogue.radios():
        values = [radio.receive_a, radio.idle_a, radio.sleep_a]
        assert values == sorted(values, key=lambda each: -each.value)
    for controller in catalogue.controllers():
        active_a = devices.device(controller.name).active_current_a.value
        assert active_a > controller.idle_a.value > controller.sleep_a.value


def test_bands() -> None:
    limits = {band.name: band.duty_cycle.value for band in catalogue.bands()}
    assert limits == {
        "eu868-k": 0.001,
        "eu868-l": 0.01,
        "eu868": 0.01,
        "eu868-low": 0.001,
        "eu868-high": 0.1,
        "eu868-q": 0.01,
        "ism2400": 1.0,
    }


def test_a_radio_sends_only_where_it_can_be_tuned_to() -> None:
    """A duty cycle at 868 MHz allows nothing to a radio of 2.4 GHz."""
    for name in ("cc1101", "cc1350", "sx1262", "srf"):
        for band in catalogue.bands():
            if band.name.startswith("eu868"):
                assert catalogue.band_of(catalogue.radio(name), band.name) == band
    for name in ("at86rf231", "cc2420", "cc2538", "nrf52840"):
        with pytest.raises(MisuseError, match="--radio cc1101, cc1350, sx1262"):
            catalogue.band_of(catalogue.radio(name), "eu868")
    with pytest.raises(MisuseError, match="give --band ism2400, or --radio cc1101, "):
        catalogue.band_of(catalogue.radio("nrf52832"), "eu868")


def test_no_battery_is_reported_beyond_what_is_known() -> None:
    coin = catalogue.battery("cr2032")
    for celsius in (-20.0, 60.0):
        assert supply(coin, nominal, celsius).energy_j(1e-6) > 0
    for celsius in (-20.1, 60.1, float("nan")):
        with pytest.raises(MisuseError, match="is known from -20 to 60 degrees"):
            supply(coin, nominal, celsius)


def test_unknown_names_tell_the_nearest() -> None:
    for find, name in (
        (catalogue.radio, "at86rf"),
        (catalogue.battery, "cr2023"),
        (catalogue.controller, "atmeg328p"),
        (catalogue.band, "eu86"),
    ):
        with pytest.raises(UnknownNameError, match="did you mean"):
            find(name)


def test_a_coin_cell_by_hand() -> None:
    coin = supply(catalogue.battery("cr2032"), nominal)
    # 225 mAh at 2.9 V: 2349 J; 1 % a year is lost.
    assert coin.energy_j(20e-6) == pytest.approx(2349)
    rate = 0.01 / YEAR_S
    # What is left follows dE/dt = -P - r E: solved by steps of an hour.
    left_j, hours = 2349.0, 0
    while left_j > 0:
        left_j -= (20e-6 + rate * left_j) * 3600
        hours += 1
    assert coin.life_s(20e-6) == pytest.approx(hours * 3600, rel=1e-3)
    # Half way between 1 mA, 85 %, and 3 mA, 60 %.
    assert coin.energy_j(0.002 * 2.9) == pytest.approx(2349 * 0.725)


@pytest.mark.parametrize(
    ("celsius", "share"),
    [(-20.0, 0.55), (-10.0, 0.7), (0.0, 0.85), (10.0, 0.925), (20.0, 1.0), (60.0, 1.0)],
)
def test_a_coin_cell_in_the_cold_by_hand(celsius: float, share: float) -> None:
    """Between -20, 0 and 20 degrees the share of the capacity is on a line."""
    cell = catalogue.battery("cr2032")
    cold = supply(cell, nominal, celsius)
    assert cold.capacity_ah == pytest.approx(0.225 * share)
    assert cold.energy_j(20e-6) == pytest.approx(2349 * share)

    def poorer(name: str, quantity: Quantity) -> float:
        return 0.8 if name == "cr2032.usable_by_temperature" else quantity.value

    # What is not known of the cold does not count where all of it can be taken out.
    doubtful = supply(cell, poorer, celsius)
    factor = 0.8 if share < 1 else 1.0
    assert doubtful.capacity_ah == pytest.approx(0.225 * share * factor)


def test_cold_batteries_give_less_and_none_gives_more_than_all() -> None:
    for battery in catalogue.batteries():
        warm = supply(battery, nominal, 20.0)
        cold = supply(battery, nominal, -10.0)
        assert cold.energy_j(1e-4) < warm.energy_j(1e-4)
        hottest = battery.usable_by_temperature.points[-1][0]
        lucky = supply(battery, lambda _, each: each.quantile(0.999), hottest)
        given_j = lucky.energy_j(1e-4)
        assert given_j <= lucky.capacity_ah * 3600 * lucky.voltage_v


@pytest.mark.parametrize(
    ("device", "radio", "sends_a", "receives_a"),
    [
        # Data sheets tell the current of the whole chip, its processor waiting.
        ("cortex-m4", "nrf52840", 0.0064, 0.00653),
        ("cortex-m3", "cc1350", 0.0134, 0.0054),
        # Two chips: the controller's 0.5 mA and 0.57 mA are beside the radio's.
        ("cortex-m4", "at86rf231", 0.0145, 0.0128),
        ("cortex-m3", "sx1262", 0.04557, 0.00539),
    ],
)
def test_a_processor_on_the_radio_s_chip_counts_once(
    device: str, radio: str, sends_a: float, receives_a: float
) -> None:
    found = Scenario(device=device, radio=radio, calls=()).node().radio
    volts = catalogue.radio(radio).supply_v.value
    assert found.transmit_w == pytest.approx(sends_a * volts)
    assert found.receive_w == pytest.approx(receives_a * volts)
    assert (found.sleep_w == 0) == (radio in {"nrf52840", "cc1350"})


def test_a_coin_cell_that_cannot_feed_its_radio() -> None:
    """SX1262: 45 mA, and 0.57 mA of an idle CC1350; a coin cell gives 15 mA."""
    coin = Scenario(device="cortex-m3", radio="sx1262", battery="cr2032")
    (doubt,) = coin.doubt_of_pulses()
    assert "draws 45.6 mA at once" in doubt
    assert "gives 15 mA in pulses" in doubt
    assert not replace(coin, battery="2xaa-alkaline").doubts()
    # 14.0 and 1.2 mA are just too much, 6.4 and 0.5 mA are not.
    assert Scenario(battery="cr2032").doubts()
    assert not Scenario(device="cortex-m4", radio="nrf52840", battery="cr2032").doubts()


def test_a_life_beyond_what_makers_vouch_for_has_a_doubt() -> None:
    """A sleepy end device on a coin cell, which asks and sends once a day."""
    slow = Scenario(
        device="cortex-m3",
        radio="cc1350",
        battery="cr2032",
        mac="polling",
        mac_settings={"poll_interval_s": 86_400.0},
        rpl=None,
    )
    pulses = slow.doubts(9.9)
    assert pulses == slow.doubt_of_end()
    (doubt,) = slow.doubts(10.1)[len(pulses) :]
    assert "vouched for 10 years" in doubt
    life = life_of("slow", slow, 86_400.0, draws=50)
    assert life.life.high.value > 10
    assert life.doubts == (*pulses, doubt)


def test_a_store_is_only_divided() -> None:
    assert Store(27_000.0).life_s(1e-3) == pytest.approx(27e6)


def test_a_curve_that_cannot_be() -> None:
    scale = {"tolerance": 0.1, "source": "a test", "checked": False}
    for points in ([], [[1, 0.5], [1, 0.6]], [[0, 0.0]], [[0, 1.5]]):
        with pytest.raises(MisuseError, match="the curve is not possible: points have"):
            row_of(catalogue.Curve, "the curve", {"points": points, **scale})
    for pair in ([1, 10**400], [10**400, 1], [1, float("nan")]):
        with pytest.raises(MisuseError, match="expected pairs of numbers"):
            row_of(catalogue.Curve, "the curve", {"points": [pair], **scale})


Kind = type[catalogue.Radio | catalogue.Battery | catalogue.Band]


def _has_units(line: dict[str, Any]) -> bool:
    return any(
        isinstance(each, str) for pair in line.get("points", ()) for each in pair
    )


def _without_each_field(kind: Kind) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the row, the field that it lacks, and the tables of the file without it."""
    tables = catalogue.read(kind.file)
    for row, table in tables.items():
        # test_own_parts tests the form with units in its values.
        if any("typ" in each for each in table.values() if isinstance(each, dict)):
            continue
        for name, value in table.items():
            if "like" in table or name in LEFT_OUT:
                continue  # may be left out
            rest = {key: each for key, each in table.items() if key != name}
            yield row, name, {**tables, row: rest}
            if isinstance(value, dict) and _has_units(value):
                continue
            for inner in value if isinstance(value, dict) else ():
                part = {key: each for key, each in value.items() if key != inner}
                yield row, inner, {**tables, row: {**table, name: part}}


@pytest.mark.parametrize("kind", [catalogue.Radio, catalogue.Battery, catalogue.Band])
def test_a_row_without_any_of_its_fields_is_one_sentence(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanting = list(_without_each_field(kind))
    assert len(wanting) > 40
    # Not the one that keeps what it has read.
    rows = catalogue._rows.__wrapped__  # noqa: SLF001
    for row, name, tables in wanting:
        if name == "title":
            continue
        monkeypatch.setattr(catalogue, "read", lambda _, given=tables: given)
        with pytest.raises(
            MisuseError, match=rf"{kind.kind} {row} of .* lacks {name}: "
        ):
            rows(kind)


def test_a_charge_that_nobody_measured_is_the_median_of_its_class() -> None:
    """Of the nRF52840, nRF52832 and CC2340R5: 5.83, 4.37 and 5.08 µC, each 30 %."""
    estimate = catalogue.radio("cc2652").event_c
    assert estimate.value == pytest.approx(5.08e-6)
    assert not estimate.checked
    assert estimate.source.startswith("estimated: the median of nrf52840, ")
    for charge_c in (5.83e-6, 4.37e-6, 5.08e-6):
        assert estimate.quantile(0.1) <= charge_c / 1.3 * (1 + 1e-9)
        assert estimate.quantile(0.9) >= charge_c * 1.3 * (1 - 1e-9)
    # What was measured stays, and a transceiver alone has none.
    assert catalogue.radio("nrf52840").event_c.value == 5.83e-6
    assert catalogue.radio("nrf52833").event_c.value == 5.83e-6
    for name in ("at86rf231", "cc2420", "sx1262", "cc1101", "hc-12", "xbee"):
        assert catalogue.radio(name).event_c.value == 0
    unchecked = Scenario(device="cortex-m4", radio="cc2652").unchecked()
    assert "cc2652.event_c" in unchecked
