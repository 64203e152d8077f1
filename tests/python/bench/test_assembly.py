# SPDX-License-Identifier: Apache-2.0
"""Assembly gives the answers of the library on this machine, in equal times.

Each kernel is measured in one program; `samara bench run` compares all of them. The
stage `bench` of ./test measures those of one device of each core, so that only what no
such device has is usual here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara.bench import devices, subjects, ways
from samara.bench.measuring import Task, measure

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

DEVICES = (
    *("atmega328p", "atmega128rfa1", "atxmega128a1", "msp430f1611", "cortex-m3"),
    "ibex",
)
# What only two of these have, their AES engines.
USUAL = "engine"
OPT = "Os"
SIZES = ((37, 14),)
KERNELS = (
    *("aes128", "aes256-ctr", "aes128-ccm-8", "aes128-gcm", "speck128-128"),
    *("speck32-64", "speck64-128", "modspeck128-128", "simon128-128", "simon64-96"),
    *("acorn128", "ascon-aead128", "grain128aead", "grain128ple"),
)


def _programs() -> list[ParameterSet]:
    """Return device, implementation and suite of all programs but portable C."""
    found = {}
    for device in map(devices.device, DEVICES):
        for one in ways.known_implementations():
            for each in map(subjects.subject, KERNELS):
                if one.suits(device, each):
                    key = (device.name, one.name, each.image_name)
                    found[key] = (device.name, one.name, each.slug)
    return [pytest.param(*row, marks=_marks(row[1])) for row in sorted(found.values())]


def _marks(implementation: str) -> list[pytest.MarkDecorator]:
    return [] if implementation == USUAL else [pytest.mark.thorough]


@pytest.mark.slow
@pytest.mark.parametrize(("device", "implementation", "slug"), _programs())
def test_assembly_answers_as_the_host_does(
    device: str, implementation: str, slug: str
) -> None:
    subject = subjects.subject(slug)
    sizes = ((subject.block_size, 0),) if subject.block_size else SIZES
    if not subject.takes_associated_data:
        sizes = ((sizes[0][0], 0),)
    build = ways.Build(devices.device(device), implementation, OPT)
    (result,) = measure(Task(build, subject, sizes))
    assert result.has_figures
    assert result.constant_time
