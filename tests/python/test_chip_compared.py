# SPDX-License-Identifier: Apache-2.0
"""Costs of a message as records: what is left out, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara.bench.devices import devices
from samara.chip.compared import ChipAnswer, ChipCost, CompareRequest, compare_costs
from samara.errors import MisuseError
from samara.records import Notice, records_of
from samara.records.parameters import ParameterError

if TYPE_CHECKING:
    from pathlib import Path


def test_costs_are_in_order_and_the_least_is_one() -> None:
    found = records_of(compare_costs(CompareRequest(message_bytes=16)))
    costs = [each for each in found if isinstance(each, ChipCost)]
    joules = [each.energy.value for each in costs]
    assert joules == sorted(joules)
    assert costs[0].times_least.value == 1
    assert costs[-1].times_least.value == pytest.approx(joules[-1] / joules[0])
    assert {each.message_bytes for each in costs} == {16}
    assert {each.clock_hz for each in costs if each.area} == {10e6}
    answers = [each for each in found if isinstance(each, ChipAnswer)]
    assert {each.core for each in answers} == {costs[0].name}
    # One for each family of devices.
    assert len(answers) == len({each.family.folder for each in devices()})


@pytest.mark.slow
def test_notices_say_what_is_left_out() -> None:
    request = CompareRequest(message_bytes=65, clock="900MHz")
    with pytest.raises(MisuseError, match="no results for 65 bytes"):
        list(compare_costs(request))
    answer = list(compare_costs(CompareRequest(message_bytes=65)))
    (sentences,) = (each for each in answer if isinstance(each, Notice))
    assert (
        sentences.text == "the bench has no results for 65 bytes: only cores are shown"
    )
    assert not sentences.warns


def test_a_clock_that_is_none_is_refused() -> None:
    with pytest.raises(MisuseError, match="--clock 0Hz: expected a frequency above 0"):
        list(compare_costs(CompareRequest(clock="0Hz")))


def test_a_wrapper_is_one_of_those_that_exist() -> None:
    with pytest.raises(ParameterError, match="must be axi or spi, not 'usb'"):
        CompareRequest(wrapper="usb")


def test_a_store_is_a_directory(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="must be a directory that exists, not"):
        CompareRequest(stores=(tmp_path, tmp_path / "none"))


def test_bounds_of_the_message() -> None:
    assert CompareRequest(message_bytes=1 << 20).message_bytes == 1 << 20
    with pytest.raises(ParameterError, match="--message must be 0 to 1,048,576 bytes"):
        CompareRequest(message_bytes=(1 << 20) + 1)
