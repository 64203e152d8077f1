# SPDX-License-Identifier: Apache-2.0
"""AES units of chips: their times are those that others measured."""

from __future__ import annotations

import pytest

from samara.energy import catalogue, measurements
from samara.energy.advise import AdviseRequest, advise
from samara.energy.aes_units import AesUnit, blocks, does, unit_on
from samara.energy.security import Call
from samara.records import Remark

UNITS = catalogue.rows_of(AesUnit)


@pytest.mark.parametrize(
    ("message_bytes", "ad_bytes", "expected"),
    [
        # Sizes, tag; then a block for each 16 bytes of data and 2 of its length.
        (0, 0, 2),
        (1, 0, 4),
        (16, 0, 4),
        (17, 0, 6),
        (0, 1, 3),
        (0, 14, 3),
        (0, 15, 4),
        (32, 30, 2 + 2 + 4),
    ],
)
def test_blocks_of_ccm(message_bytes: int, ad_bytes: int, expected: int) -> None:
    assert blocks(Call("aes128-ccm-8", message_bytes, ad_bytes)) == expected


@pytest.mark.parametrize(("row", "message_bytes"), [(283, 16), (285, 32)])
def test_times_are_those_that_were_measured(row: int, message_bytes: int) -> None:
    (of,) = (each for each in measurements.measurements() if each.id == row)
    assert (of.device, of.unit) == ("nRF52 DK PCA10040", "us")
    call = Call("aes128-ccm-8", message_bytes, 0)
    assert UNITS["nrf52"].seconds([call]) * 1e6 == pytest.approx(of.figure)
    assert UNITS["nrf52"].seconds([call, call]) * 1e6 == pytest.approx(2 * of.figure)


def test_the_engine_of_the_cc26x2_takes_the_cycles_of_its_manual() -> None:
    """128 bits at 483 Mbit/s and 200 MHz are 53 cycles; one packet of them takes 246.

    The driver of a chip, which is not in it, takes more than that.
    """
    unit = UNITS["cc26x2"]
    cycles, packet = (128 * 200 / rate for rate in (483, 104))
    assert unit.block_s.value * 48e6 == pytest.approx(cycles, rel=0.01)
    assert unit.call_s.value * 48e6 == pytest.approx(packet - cycles, rel=0.01)
    assert unit_on("cc1352") is unit_on("cc2652") is unit
    (remarks,) = remarks_on_unit("cortex-m4", "cc2652")
    assert "of the CC13x2 and CC26x2, without its driver, would seal" in remarks


def test_chips_of_units_are_radios() -> None:
    names = {each.name for each in catalogue.radios()}
    for unit in UNITS.values():
        assert set(unit.chips.split()) <= names
    assert unit_on("nrf52833") is UNITS["nrf52"]
    assert unit_on("cc2538") is None


@pytest.mark.parametrize(
    ("suite", "expected"),
    [
        ("aes128-ccm-8", True),
        ("ieee802154-aes128-ccm-4", True),
        ("aes256-ccm-8", False),
        ("aes128-gcm-16", False),
        ("ascon-aead128", False),
    ],
)
def test_a_unit_does_aes_128_in_ccm(suite: str, *, expected: bool) -> None:
    assert does([Call(suite, 1, 1)]) == expected
    assert not does([Call(suite, 1, 1), Call("ascon-aead128", 1, 1)])


def remarks_on_unit(device: str, radio: str, **given: object) -> list[str]:
    request = AdviseRequest(device=device, radio=radio, mac="polling", **given)  # type: ignore[arg-type]
    texts = [each.text for each in advise(request) if isinstance(each, Remark)]
    return [each for each in texts if "AES unit" in each]


def test_advice_tells_what_the_unit_would_take() -> None:
    """20 bytes in 4 blocks, 15 of the header in 2, and 2: 163 µs at 3.19 mA and 3 V."""
    (remarks,) = remarks_on_unit("cortex-m4", "nrf52840")
    assert remarks.startswith(
        "The AES unit of the nRF52 would seal a message in 163 µs"
    )
    assert "1.56 µJ, by published figures" in remarks
    assert "samara has no code for that unit" in remarks
    assert remarks_on_unit("cortex-m4", "cc2538") == []
    ascon = {"link_options": {"suite": "ascon-aead128"}, "allow_proprietary": True}
    assert remarks_on_unit("cortex-m4", "nrf52840", **ascon) == []
