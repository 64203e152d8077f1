# SPDX-License-Identifier: Apache-2.0
"""Receipts of one message with each suite agree with the receipts of single ones."""

from __future__ import annotations

from typing import Any

import pytest

from samara.energy.intervals import IntervalsRequest, lifetimes_by_interval
from samara.energy.life import LifeRequest, life
from samara.energy.receipt_costs import with_costs
from samara.energy.receipts_compared import (
    MessageCost,
    PublishedCost,
    ReceiptsRequest,
    compare_receipts,
)
from samara.errors import MisuseError
from samara.figure import Origin
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction
from samara.records import records_of

DEVICE = "atmega328p"


def costs(**given: Any) -> list[MessageCost]:  # noqa: ANN401 - values of a request
    found = records_of(compare_receipts(ReceiptsRequest(device=DEVICE, **given)))
    return [each for each in found if isinstance(each, MessageCost)]


@pytest.mark.parametrize(("link", "size"), [("ieee802154", 20), ("rf-serial", 1)])
def test_frames_cost_what_their_own_receipt_says(link: str, size: int) -> None:
    found = costs(link=link, message_bytes=size, layer=("link",))
    assert len(found) > 3
    for each in found[1:]:
        alone = planned_receipt(link, Direction.SENT, size, each.options)
        receipt = with_costs(alone, DEVICE)
        assert each.parts == receipt.parts
        assert each.air_bytes.value == receipt.air_bytes
        assert each.crypto_energy == receipt.figures["crypto_energy"]
        assert each.air_time == receipt.figures.get("air_time")


def test_the_first_has_no_security_and_the_others_are_sorted() -> None:
    plain, *secured = costs()
    assert (plain.layer, plain.suite, plain.tag_bytes) == ("none", None, 0)
    assert plain.crypto_energy is None
    energies = [each.energy.value for each in secured if each.energy]
    assert len(energies) == len(secured)
    assert energies == sorted(energies)
    assert plain.energy is not None
    assert plain.energy.value < energies[0]


def test_energy_is_that_of_cipher_and_radio() -> None:
    for each in costs()[1:]:
        assert each.energy is not None
        assert each.radio_energy is not None
        assert each.crypto_energy is not None
        together = each.radio_energy.value + each.crypto_energy.value
        assert each.energy.value == pytest.approx(together, rel=1e-12)
        assert each.energy.unit == "J"


@pytest.mark.parametrize("size", [0, 1, 20, 300])
def test_parts_of_sealed_payloads_add_up(size: int) -> None:
    found = costs(message_bytes=size, layer=("payload",))
    assert len(found) > 3
    for each in found[1:]:
        assert each.parts["message"] == size
        assert each.parts["tag"] == 8
        assert sum(each.parts.values()) == each.air_bytes.value
        assert each.tag_bytes == 8


def test_the_physical_layer_adds_no_bytes() -> None:
    plain, physical = costs(tag_bytes=(0,), layer=("physical",))
    assert physical.suite == "grain128ple"
    assert physical.parts == plain.parts
    assert physical.crypto_energy is not None


def test_tags_are_those_that_were_asked_for() -> None:
    assert {each.tag_bytes for each in costs(tag_bytes=(4, 16))[1:]} == {4, 16}


def test_papers_are_beside_messages_of_their_link() -> None:
    found = records_of(compare_receipts(ReceiptsRequest(layer=("physical",))))
    hardware, software = [each for each in found if isinstance(each, PublishedCost)]
    assert hardware.message_bytes == software.message_bytes == 95
    assert hardware.crypto_energy is not None
    assert hardware.crypto_energy.value == pytest.approx(114.05e-6)
    assert hardware.crypto_energy.origin is Origin.PUBLISHED
    assert software.crypto_time is not None
    assert software.crypto_time.value == pytest.approx(28.8e-3)


def test_a_link_without_plain_frames_is_refused() -> None:
    with pytest.raises(MisuseError, match="--link 'sdr' is not one of ieee802154"):
        next(compare_receipts(ReceiptsRequest(link="sdr")))


def test_lives_by_interval_are_those_of_single_intervals() -> None:
    asked = IntervalsRequest(intervals_s=(600.0, 10.0, 600.0), draws=50)
    found = records_of(lifetimes_by_interval(asked))
    assert [each.interval_s for each in found] == [10.0, 600.0]
    for each in found:
        alone, *_ = records_of(life(LifeRequest(interval_s=each.interval_s, draws=50)))
        assert each.life == alone.life
        assert each.security_share == alone.taken_by_security.share
