# SPDX-License-Identifier: Apache-2.0
"""Frames of 95 bytes, protected and opened on simulated devices.

The answers are compared with the ciphers of this machine within `measure`.
"""

from __future__ import annotations

import pytest

from samara.bench.devices import device
from samara.bench.measuring import Task, measure
from samara.bench.subjects import subject
from samara.bench.ways import Build

STATE_BYTES_MAX = 512
PLACES = [
    ("atmega128rfa1", "portable"),
    ("atmega128rfa1", "engine"),
    ("atmega128rfa1", "assembly"),
    ("atxmega128a1", "engine"),
    ("msp430f1611", "portable"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "implementation"), PLACES)
def test_a_frame_is_protected_and_opened(name: str, implementation: str) -> None:
    task = Task(
        Build(device(name), implementation, "Os"),
        subject("ieee802154-aes128-ccm-4"),
        ((95, 14),),
        samples=3,
    )
    (row,) = measure(task)
    assert row.problem is None
    assert row.constant_time
    # Tables of 2 keys and 8 devices.
    assert row.static_ram_bytes is not None
    assert row.static_ram_bytes <= STATE_BYTES_MAX


@pytest.mark.slow
@pytest.mark.parametrize("name", ["atmega128rfa1", "msp430f1611"])
@pytest.mark.parametrize("suite", ["grain128aead-8", "ascon-aead128-8"])
def test_other_ciphers_take_the_place_of_aes(name: str, suite: str) -> None:
    task = Task(
        Build(device(name), "portable", "Os"),
        subject(f"ieee802154-{suite}"),
        ((95, 14), (16, 14)),
        samples=1,
    )
    assert [row.problem for row in measure(task)] == [None, None]
