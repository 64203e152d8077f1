# SPDX-License-Identifier: Apache-2.0
"""Published measurements beside the energy model."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from samara.energy import catalogue, measurements
from samara.energy.check import (
    CheckedMeasurement,
    CheckRequest,
    beside,
    check,
    verdict,
)
from samara.energy.checked_answers import ANSWERS, Check
from samara.energy.parts import Part
from samara.energy.scenario import Scenario
from samara.energy.transceiver import RadioTimes
from samara.records import records_of

from .hops import hop

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def found() -> list[CheckedMeasurement]:
    return list(records_of(check(CheckRequest(all=True))))


def test_every_published_row_is_there(found: list[CheckedMeasurement]) -> None:
    with (ROOT / "published" / measurements.FILE).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(each.row, each.measured) for each in found] == [
        (int(row["id"]), float(row["figure"])) for row in rows
    ]
    assert len(found) > 200
    for each in found:
        # The model says something, or there is a reason why it does not.
        assert (each.middle is None) == bool(each.reason), each
        assert not each.fitted or each.check


def test_four_of_five_measurements_are_within_the_range(
    found: list[CheckedMeasurement],
) -> None:
    judged = verdict(found)
    assert judged.judged >= 23
    assert judged.share >= 0.9
    assert judged.median_ratio == pytest.approx(1.0, abs=0.15)
    explained = {189, 238, 274, 315}
    assert set(judged.off) <= explained
    assert all(measurements.checks()[row].explained for row in explained)


def test_medians_are_within_15_percent(found: list[CheckedMeasurement]) -> None:
    """But of two that sleep: docs/energy.md says why."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for each in found:
        if each.ratio and not each.fitted:
            ratios[measurements.checks()[each.row].name].append(each.ratio)
    off = {name for name, of in ratios.items() if not 1 / 1.15 < median(of) < 1.15}
    assert off == {"nrf52832-asleep", "atmega328p-asleep"}
    assert median(ratios["nrf52832-asleep"]) < 1.2
    assert len(ratios) == 35


def test_a_poll_and_a_minute_by_hand() -> None:
    """28 bytes sent, 192 µs and 11 bytes received, a start; 60 of them and sleep."""
    poll_uc = 28 * 32 * 6.4e-3 + 192 * 6.53e-3 + 11 * 32 * 6.53e-3 + 0.18 + 5.83
    by_row = measurements.checks()
    assert by_row[30].value() == pytest.approx(poll_uc * 1e-6)
    assert poll_uc == pytest.approx(15.3, abs=0.01)
    assert by_row[29].value() == pytest.approx((60 * poll_uc + 60 * 3.19) * 1e-6)
    # The nRF52833 has its own currents, and the charge of the nRF52840.
    other_uc = 28 * 32 * 6.0e-3 + (192 + 11 * 32) * 6.2e-3 + 0.18 + 5.83 + 2.72
    assert by_row[2].value() == pytest.approx(other_uc * 1e-6)


def test_slots_by_hand() -> None:
    """127 bytes at 0 dBm and 75 µA of the controller; 23 bytes of acknowledgement."""
    by_row = measurements.checks()
    data_uc = 133 * 32 * 11.675e-3 + 380 * 0.475e-3
    ack_s = 29 * 32
    assert by_row[235].value() == pytest.approx(data_uc * 1e-6)
    acked_uc = data_uc + (200 + ack_s) * 12.375e-3
    assert by_row[234].value() == pytest.approx(acked_uc * 1e-6)
    received_uc = (1100 + 133 * 32) * 12.375e-3 + 380 * 0.475e-3
    assert by_row[237].value() == pytest.approx(received_uc * 1e-6)
    acking_uc = received_uc + ack_s * 11.675e-3
    assert by_row[236].value() == pytest.approx(acking_uc * 1e-6)
    assert by_row[238].value() == pytest.approx(
        (2200 * 12.375e-3 + 380 * 0.475e-3) * 1e-6, rel=1e-6
    )


def test_a_wrong_event_charge_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the charge of an event, as it was before, most are outside."""
    real = catalogue.radio

    def bare(name: str) -> catalogue.Radio:
        one = real(name)
        return replace(one, event_c=replace(one.event_c, value=0.0))

    monkeypatch.setattr(catalogue, "radio", bare)
    monkeypatch.setattr(Scenario, "_transceiver", _transceiver_of(bare))
    ids = (1, 2, 8, 22, 23, 29)
    rows = [each for each in measurements.measurements() if each.id in ids]
    judged = verdict([beside(each, measurements.checks()[each.id]) for each in rows])
    assert judged.judged == len(ids)
    assert judged.within == 0


def _transceiver_of(radio: Any) -> Any:  # noqa: ANN401 - stands for a method
    from samara.energy.transceiver import transceiver  # noqa: PLC0415 - of this test

    def own(scenario: Any, _controller: object, draw: Any) -> Any:  # noqa: ANN401
        return replace(transceiver(radio(scenario.radio), draw), sleep_w=0.0)

    return own


NAMES = {
    "nrf52840": ("nrf52840", "nrf52840-thread13", "nrf52833"),
    "nrf52832": ("nrf52832",),
    "cc2340r5": ("cc2340r5",),
}
"""Radios of each chip whose events were measured; one of them is of a sister chip."""


def _kept_back(chip: str) -> dict[str, catalogue.Radio]:
    """Return radios as they would be if nobody had measured an event of a chip."""

    def unmeasured(one: catalogue.Radio) -> catalogue.Radio:
        nothing = replace(one.event_c, value=0.0)
        if one.name not in NAMES[chip] and one.event_c.checked:
            return one
        # What was estimated is so again, of the chips that are left.
        return replace(
            one, event_c=nothing, send_c=nothing, sense_c=nothing, connection_c=nothing
        )

    rows = catalogue.rows_of(catalogue.Radio)
    left = catalogue.with_estimates({n: unmeasured(each) for n, each in rows.items()})
    assert not any(left[name].event_c.checked for name in NAMES[chip])
    return left


# A request of the older software that tells of CSL, too, takes what no other does.
REQUESTS_OF_OLDER_WITH_CSL = {6, 13, 27}
# An event without data takes less than an advertising event.
CONNECTIONS = {64, 65, 67}


@pytest.mark.parametrize(
    ("chip", "count", "off"),
    [
        ("nrf52840", 20, REQUESTS_OF_OLDER_WITH_CSL),
        ("nrf52832", 3, set()),
        ("cc2340r5", 9, {67}),
    ],
)
def test_chips_that_were_kept_back(
    chip: str, count: int, off: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events are told by the charges of the other chips. Asleep, each is its own."""
    radios, rows_of = _kept_back(chip), catalogue.rows_of
    monkeypatch.setattr(
        catalogue,
        "rows_of",
        lambda kind: radios if kind is catalogue.Radio else rows_of(kind),
    )
    rows = {each.id: each for each in measurements.measurements()}
    found = [
        replace(beside(rows[row], said), fitted=False)
        for row, said in measurements.checks().items()
        if said.radio in NAMES[chip] and "sleep" not in said.answer
        if not said.missing
    ]
    judged = verdict(found)
    assert judged.judged == count
    assert set(judged.off) == off
    assert judged.share >= 0.8
    far = {each.row for each in found if abs((each.ratio or 0.0) - 1) > 0.15}
    assert far <= CONNECTIONS


def test_who_listens_first_pays_for_it_if_nobody_measured_the_chip() -> None:
    """320 µs at 5.1 mA; not in a cell, and not where it is in what was measured."""
    one = catalogue.radio("efr32xg24")
    assert one.sense_c.value == pytest.approx(320e-6 * one.receive_a.value)
    assert one.sense_c.quantile(0.1) == pytest.approx(one.sense_c.value / 2)
    for radio in ("nrf52840", "nrf52840-thread13", "nrf52833", "at86rf231"):
        assert catalogue.radio(radio).sense_c.value == 0
    sent_j = {
        mac: Scenario(radio="efr32xg24", mac=mac).node().radio.send_j
        for mac in ("polling", "box-mac-2", "tsch", "ble-advertising")
    }
    sensed_j = one.sense_c.value * one.supply_v.value
    assert sent_j["polling"] == sent_j["box-mac-2"] == pytest.approx(sensed_j)
    assert sent_j["tsch"] == sent_j["ble-advertising"] == 0


def test_no_chip_with_a_processor_has_an_event_for_nothing() -> None:
    chips = {each.on_chip_with for each in catalogue.controllers()}
    for each in catalogue.radios():
        has_processor = bool(each.processor) or each.chip in chips
        assert (each.event_c.value > 0) == has_processor, each.name
        # What is estimated has all that was measured in its range.
        if not each.event_c.checked and has_processor:
            for name in NAMES:
                measured = catalogue.radio(name).event_c.value
                low, high = (each.event_c.quantile(share) for share in (0.1, 0.9))
                assert low < measured < high


def test_fitted_rows_do_not_judge(found: list[CheckedMeasurement]) -> None:
    fitted = {each.row for each in found if each.fitted and not each.reason}
    assert fitted >= {9, 30, 31}
    assert verdict(found).judged == sum(not each.reason for each in found) - len(fitted)
    # A row that is fitted to is named by the quantity that was fitted.
    assert "row 30," in catalogue.radio("nrf52840").event_c.source
    assert "row 9," in catalogue.radio("nrf52840-thread13").send_c.source


def test_what_is_missing_is_said() -> None:
    nothing = Check("a", (1,), "request", mac="no-such-mac")
    assert nothing.missing == "no medium access no-such-mac"
    assert replace(nothing, radio="none").missing == "no radio none"
    (row,) = (each for each in measurements.measurements() if each.id == 1)
    compared = beside(row, nothing)
    assert compared.middle is None
    assert compared.reason == "no medium access no-such-mac"
    assert measurements.not_covered("ESP32-C6").startswith("no radio of this chip")
    assert measurements.not_covered("another") == "no such part"


def test_every_answer_and_unit_is_known() -> None:
    by_id = {each.id: each for each in measurements.measurements()}
    for row, said in measurements.checks().items():
        assert said.answer in ANSWERS
        assert by_id[row].unit in measurements.UNITS
        assert set(said.fitted) <= set(said.rows)


def test_sending_in_software_is_paid_once_for_a_start() -> None:
    """A train is sent in one start; a start that sends nothing pays none of it."""
    one = replace(hop(name="nrf52840-thread13").radio, start_s=0.0, idle_w=0.0)
    event_j, send_j = 5.83e-6 * 3.0, 2.72e-6 * 3.0
    for times, expected_j in (
        (RadioTimes(starts=1), event_j),
        (RadioTimes(starts=1, copies=1), event_j + send_j),
        (RadioTimes(starts=1, copies=20), event_j + send_j),
        (RadioTimes(starts=3, copies=3), 3 * (event_j + send_j)),
        (RadioTimes(copies=1), 0.0),
    ):
        assert times.energy_j(one)[Part.WAKE] == pytest.approx(expected_j)
