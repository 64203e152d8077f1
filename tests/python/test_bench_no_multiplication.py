# SPDX-License-Identifier: Apache-2.0
"""Constant time on AVRs without MUL, where a product is a loop of libgcc."""

import subprocess
from dataclasses import replace

import pytest

from samara.bench import devices, ways
from samara.bench.measuring import Task, measure
from samara.bench.subjects import subject

# The AT90USB162 has no MUL. Compiled for it, programs are run on the simulated
# ATmega328P, which has all its instructions and enough memory; the stack begins
# where that memory ends.
_CHIP = "at90usb162"
_STACK = 0x8FF

_GRAIN = ("grain128aead", "grain128ple")
_IN_C = (
    *("aes128", "aes128-gcm", "aes128-ccm-8", "ascon-aead128", *_GRAIN),
    *("speck128-128-ccm-8", "simon64-96", "modspeck128-192"),
)


def _device() -> devices.Device:
    device = devices.device("atmega328p")
    flags = (f"-mmcu={_CHIP}", "-std=c11")
    linker_flags = (f"-mmcu={_CHIP}", f"-Wl,--defsym=__stack={_STACK}")
    family = replace(device.family, flags=flags, linker_flags=linker_flags)
    return replace(device, name="avr-without-mul", family=family)


def test_the_chip_has_no_multiplication() -> None:
    macros = subprocess.run(
        ["avr-gcc", f"-mmcu={_CHIP}", "-dM", "-E", "-xc", "/dev/null"],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "__AVR_ARCH__ 35" in macros
    assert "__AVR_HAVE_MUL__" not in macros


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "implementation"),
    [
        *((slug, ways.PORTABLE) for slug in _IN_C),
        *((slug, name) for slug in _GRAIN for name in ("assembly", "small")),
    ],
)
def test_all_secrets_take_the_same_time(slug: str, implementation: str) -> None:
    build = ways.Build(_device(), implementation, "Os")
    rows = measure(Task(build, subject(slug), ((20, 14),), samples=24))
    assert [row.problem for row in rows] == [None] * len(rows)
    assert [row.varies for row in rows] == [{}] * len(rows)
