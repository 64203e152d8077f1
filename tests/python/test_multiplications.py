# SPDX-License-Identifier: Apache-2.0
"""Where products take a time that depends on them, or stay behind, secrets have none.

An MSP430 without multiplier, and an AVR without MUL, multiply in a loop of the
compiler's library; the multiplier of an MSP430 keeps its product.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from samara.bench import devices, toolchain

CORE = Path(__file__).parents[2] / "core"

# What multiplies secrets: Poly1305 and GHASH.
SOURCES = ("aead/chacha20_poly1305.c", "mode/ghash.c")
PRODUCT = re.compile(r"\b__(?:mspabi_mpy|u?mul)\w+")


def _msp430() -> list[str]:
    device = devices.device("msp430f1611")
    family = device.family
    headers = toolchain.compiler_headers(family.compiler)
    words = [word.format(headers=headers) for word in device.words(family.flags)]
    return [family.compiler, *words]


def _attiny85() -> list[str]:
    return ["avr-gcc", "-mmcu=attiny85", "-std=c11"]


def _products(compiler: list[str], options: list[str], folder: Path) -> list[str]:
    """Return the functions of the compiler's library that multiply, as called."""
    assembly = folder / "assembly.s"
    includes = [f"-I{CORE}", f"-I{CORE}/include"]
    toolchain.run([*compiler, *includes, *options, "-S", "-o", str(assembly)])
    return PRODUCT.findall(assembly.read_text(encoding="ascii"))


@pytest.mark.parametrize("compiler", [_msp430, _attiny85])
@pytest.mark.parametrize("opt", ["-Os", "-O2", "-O3"])
@pytest.mark.parametrize("source", SOURCES)
def test_secrets_are_not_multiplied(
    compiler: Callable[[], list[str]], opt: str, source: str, tmp_path: Path
) -> None:
    options = [opt, str(CORE / source)]
    assert not _products(compiler(), options, tmp_path)


@pytest.mark.parametrize("compiler", [_msp430, _attiny85])
def test_products_are_seen(compiler: Callable[[], list[str]], tmp_path: Path) -> None:
    source = CORE / "aead" / "chacha20_poly1305.c"
    options = ["-O2", "-DSAMARA_MULTIPLIES=1", str(source)]
    assert _products(compiler(), options, tmp_path)
