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


def unit_told(device: str, radio: str, **given: object) -> list[str]:
    request = AdviseRequest(device=device, radio=radio, mac="polling", **given)  # type: ignore[arg-type]
    texts = [each.text for each in advise(request) if isinstance(each, Remark)]
    return [each for each in texts if "AES unit" in each]


def test_advice_tells_what_the_unit_would_take() -> None:
    """20 bytes in 4 blocks, 15 of the header in 2, and 2: 163 µs at 3.19 mA and 3 V."""
    (told,) = unit_told("cortex-m4", "nrf52840")
    assert told.startswith("The AES unit of the nRF52 would seal a message in 163 µs")
    assert "1.56 µJ, by published measurements" in told
    assert "samara has no code for that unit" in told
    assert unit_told("cortex-m4", "cc2538") == []
    ascon = {"link_options": {"suite": "ascon-aead128"}, "allow_proprietary": True}
    assert unit_told("cortex-m4", "nrf52840", **ascon) == []
