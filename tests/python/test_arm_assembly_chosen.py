# SPDX-License-Identifier: Apache-2.0
"""Each Cortex-M gets the assembly that runs on it, from gcc and from clang.

A processor that core/common/machine.h does not know runs C, which is right and slow:
no other test would see it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
PROGRAM = """#include "common/machine.h"
#if SAMARA_ARCH_ARMV6M
chosen armv6m
#endif
#if SAMARA_ARCH_ARMV7M
chosen armv7m
#endif
#if SAMARA_MULTIPLIES
chosen products
#endif
"""
GCC = ("arm-none-eabi-gcc",)
CLANG = ("clang", "--target=arm-none-eabi", "-ffreestanding")

NARROW = ("cortex-m0", "cortex-m0plus", "cortex-m1", "cortex-m23")
WIDE = (
    *("cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m33+nodsp"),
    *("cortex-m35p", "cortex-m55"),
)


def chosen(compiler: tuple[str, ...], *flags: str) -> set[str]:
    """Return the assembly that is compiled, and whether secrets are multiplied."""
    command = [*compiler, *flags, "-E", "-P", f"-I{CORE}", "-x", "c", "-"]
    done = subprocess.run(
        command, input=PROGRAM, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    return {each.split()[1] for each in lines if each.startswith("chosen ")}


@pytest.mark.parametrize("processor", [*NARROW, *WIDE])
def test_gcc_takes_the_assembly_of_the_processor(processor: str) -> None:
    name = "armv6m" if processor in NARROW else "armv7m"
    assert chosen(GCC, f"-mcpu={processor}", "-mthumb") == {name, "products"}


@pytest.mark.parametrize("processor", WIDE)
def test_clang_takes_it_on_larger_ones(processor: str) -> None:
    flags = (f"-mcpu={processor}", "-mthumb")
    # clang 14 touches no word that is not aligned unless it is told.
    allowed = chosen(CLANG, *flags, "-munaligned-access")
    assert allowed == {"armv7m", "products"}
    assert chosen(CLANG, *flags, "-mno-unaligned-access") == {"products"}


@pytest.mark.parametrize("processor", NARROW)
def test_clang_takes_c_on_smaller_ones(processor: str) -> None:
    assert chosen(CLANG, f"-mcpu={processor}", "-mthumb") == {"products"}


@pytest.mark.parametrize(
    "flags",
    [
        ("-mcpu=cortex-a7", "-mthumb"),
        ("-mcpu=cortex-a7", "-marm"),
        ("-mcpu=cortex-m33", "-mthumb", "-mbig-endian"),
        ("-mcpu=cortex-m33", "-mthumb", "-mno-unaligned-access"),
    ],
)
def test_others_take_c(flags: tuple[str, ...]) -> None:
    assert chosen(GCC, *flags) == {"products"}
