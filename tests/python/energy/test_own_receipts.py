# SPDX-License-Identifier: Apache-2.0
"""Parts of the user, and devices that the bench does not measure, in receipts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from samara.crypto.names import UnknownNameError
from samara.energy import catalogue
from samara.energy.advice_records import Advice
from samara.energy.advise import AdviseRequest, advise
from samara.energy.own_parts import described_devices, own_parts
from samara.energy.part_list import PartRequest, PartsRequest, list_parts, show_part
from samara.energy.receipt_battery import Use, with_battery
from samara.energy.receipt_costs import with_costs
from samara.energy.receipts import ExplainRequest, explain_receipts
from samara.energy.receipts_compared import (
    MessageCost,
    ReceiptsRequest,
    compare_receipts,
)
from samara.energy.scenario import Scenario
from samara.figure import Origin
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.node.receipt import Receipt

OWN = """
[device.mine]
measured_as = "cortex-m4"
clock = "32 MHz"
supply = "3 V"
active = { typ = "2 mA", source = "a data sheet" }
idle = { typ = "1 mA", source = "a data sheet" }
sleep = { typ = "1 uA", source = "a data sheet" }
wake = "10 us"
write_s = "1 ms"

[radio.louder]
like = "nrf52840"
transmit = { typ = "9 mA", source = "a data sheet" }

[mac.slow]
medium_access = "polling"
poll_interval = "30 s"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    return path


def asked(request: AdviseRequest) -> Advice:
    (found,) = [
        each for each in records_of(advise(request)) if isinstance(each, Advice)
    ]
    return found


def planned() -> Receipt:
    return planned_receipt("ieee802154", Direction.SENT, 20, {"level": 6})


def test_a_receipt_has_the_clock_and_the_current_of_the_users_device(
    file: Path,
) -> None:
    own = own_parts([file])
    mine = with_costs(planned(), "mine", "louder", own).figures
    measured = with_costs(planned(), "cortex-m4", "nrf52840").figures
    cycles = measured["crypto_cycles"].value
    assert mine["crypto_cycles"].value == cycles
    assert mine["crypto_cycles"].origin is Origin.ESTIMATED
    assert mine["crypto_time"].value == pytest.approx(cycles / 32e6)
    assert mine["crypto_energy"].value == pytest.approx(cycles / 32e6 * 6e-3)
    assert mine["radio_energy"].value == pytest.approx(
        measured["radio_energy"].value * 9 / 6.4
    )


def test_its_battery_is_that_of_a_node_with_the_same_parts(file: Path) -> None:
    own = own_parts([file])
    costed = with_costs(planned(), "mine", "louder", own)
    found = with_battery(costed, Use("slow", "cr2032", 600.0), own)
    node = Scenario(
        device="mine",
        radio="louder",
        mac="slow",
        battery="cr2032",
        frame_bytes=31,
        added_bytes=14,
        own=own,
    ).node()
    whole_j = float(node.message(600.0).total)
    assert found.figures["whole_energy"].value == pytest.approx(whole_j)
    assert found.figures["battery_messages"].value > 0


def test_the_commands_take_the_file(file: Path) -> None:
    request = ExplainRequest(parts=(file,), device="mine", link="ieee802154")
    (record,) = records_of(explain_receipts(request))
    assert record.device == "mine"
    compared = ReceiptsRequest(parts=(file,), device="mine", layer=("link",))
    costs = [
        each.crypto_energy.value
        for each in records_of(compare_receipts(compared))
        if isinstance(each, MessageCost) and each.crypto_energy
    ]
    assert len(costs) > 3
    assert min(costs) > 0
    with pytest.raises(UnknownNameError, match="mine"):
        list(compare_receipts(ReceiptsRequest(device="mine")))


def test_files_that_are_found_need_no_option(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = file.parent / "samara-parts"
    folder.mkdir()
    file.rename(folder / "own.toml")
    monkeypatch.chdir(file.parent)
    request = ExplainRequest(device="mine", radio="louder", link="ieee802154")
    (record,) = records_of(explain_receipts(request))
    assert (record.device, record.radio) == ("mine", "louder")


def test_advice_about_a_device_of_the_user(file: Path) -> None:
    request = AdviseRequest(parts=(file,), device="mine", radio="louder")
    advice = asked(request)
    assert advice.device == "mine"
    assert "arm-none-eabi-gcc" in json.dumps(advice.commands)


@pytest.mark.parametrize("name", ["rp2040", "attiny-1"])
def test_a_device_that_the_bench_does_not_measure(name: str) -> None:
    device = described_devices()[name]
    found = with_costs(planned(), name).figures
    like = with_costs(planned(), device.measured_as).figures
    assert found["crypto_cycles"].value == like["crypto_cycles"].value
    seconds = found["crypto_time"].value
    assert seconds == found["crypto_cycles"].value / device.clock_hz.value
    watts = device.active_a.value * device.supply_v.value
    assert found["crypto_energy"].value == pytest.approx(seconds * watts)
    assert float(Scenario(device=name, mac="polling").node().message(60).total) > 0
    listed = [each.name for each in records_of(list_parts(PartsRequest()))]
    assert listed.count(name) == 1
    fields = {each.field for each in records_of(show_part(PartRequest(name=name)))}
    assert {"clock", "active", "measured_as"} <= fields


def test_such_a_device_is_offered_with_radios_that_are_chips_of_their_own() -> None:
    request = AdviseRequest(device="attiny-1", years=1.0)
    advice = asked(request)
    assert not catalogue.radio(advice.radio).processor
    assert advice.radio not in {"nrf52840", "cc1350"}


def test_devices_of_the_catalogue_say_where_their_figures_are_from() -> None:
    for each in described_devices().values():
        for quantity in (each.active_a, each.idle_a, each.sleep_a, each.supply_v):
            assert quantity.tolerance > 0
            assert len(quantity.source) > 20
