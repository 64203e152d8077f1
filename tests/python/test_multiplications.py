# SPDX-License-Identifier: Apache-2.0
"""Where products take a time that depends on them, or stay behind, secrets have none.

An MSP430 without multiplier, an AVR without MUL and a RISC-V without M multiply in a
loop of the compiler's library; the multiplier of an MSP430 keeps its product.
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


# Without M; with another of its letters the compiler's own headers are enough.
_RISCV = ["-march=rv32iac", "-mabi=ilp32", "-std=c11"]
_PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include"


def _riscv32() -> list[str]:
    return ["riscv64-unknown-elf-gcc", *_RISCV, "-isystem", _PICOLIBC]


def _riscv32_clang() -> list[str]:
    return ["clang", "--target=riscv32", *_RISCV, "-ffreestanding"]


# Sources that call products of public factors on a RISC-V without M, and which calls:
# sizes, indices of tables and round keys, soft values of the air. Those of 64 bits in
# the search for a counter are of numbers of candidates.
PUBLIC_PRODUCTS = {
    "6lowpan/address.c": {"__mulsi3"},
    "6lowpan/reassembly.c": {"__mulsi3"},
    "aead/ketje_jr.c": {"__mulsi3"},
    "block/aes_bitsliced.c": {"__mulsi3"},
    "block/modspeck.c": {"__mulsi3"},
    "block/speck.c": {"__mulsi3"},
    "ieee802154/open.c": {"__mulsi3"},
    "ieee802154/protect.c": {"__mulsi3"},
    "ieee802154/tables.c": {"__mulsi3"},
    "ieee802154/window.c": {"__mulsi3"},
    "node/layout.c": {"__mulsi3"},
    # Where a part of a message begins: its number and the size of a part.
    "node/parts.c": {"__mulsi3"},
    "node/send.c": {"__mulsi3"},
    "rfserial/receiver.c": {"__mulsi3"},
    # Places of slots and pages, and how many records a memory takes.
    "store/erase.c": {"__mulsi3"},
    "store/layout.c": {"__mulsi3", "__muldi3"},
    "store/open.c": {"__mulsi3"},
    "stream/grain128ple.c": {"__muldi3"},
    "stream/ple_frame.c": {"__mulsi3"},
    "stream/ple_interleave.c": {"__mulsi3"},
    "stream/ple_score.c": {"__mulsi3"},
    "stream/ple_sync.c": {"__mulsi3", "__muldi3"},
}


def _products(compiler: list[str], options: list[str], folder: Path) -> list[str]:
    """Return the functions of the compiler's library that multiply, as called."""
    assembly = folder / "assembly.s"
    includes = [f"-I{CORE}", f"-I{CORE}/include"]
    words = [*compiler, *includes, *options, "-S", "-o", str(assembly)]
    toolchain.run(words, folder=CORE.parent)
    return PRODUCT.findall(assembly.read_text(encoding="ascii"))


ALL = [_msp430, _attiny85, _riscv32, _riscv32_clang]


@pytest.mark.parametrize("compiler", ALL)
@pytest.mark.parametrize("opt", ["-Os", "-O2", "-O3"])
@pytest.mark.parametrize("source", SOURCES)
def test_secrets_are_not_multiplied(
    compiler: Callable[[], list[str]], opt: str, source: str, tmp_path: Path
) -> None:
    options = [opt, str(CORE / source)]
    assert not _products(compiler(), options, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compiler", "opt"),
    [
        (_riscv32, "-Os"),
        (_riscv32_clang, "-O3"),
        pytest.param(_riscv32, "-O3", marks=pytest.mark.thorough),
        pytest.param(_riscv32_clang, "-Os", marks=pytest.mark.thorough),
    ],
)
def test_only_known_products_are_left(
    compiler: Callable[[], list[str]], opt: str, tmp_path: Path
) -> None:
    machines = {"arch", "host"}
    for path in sorted(CORE.glob("*/*.c")):
        name = str(path.relative_to(CORE))
        if machines.isdisjoint(path.relative_to(CORE).parts):
            found = set(_products(compiler(), [opt, str(path)], tmp_path))
            assert found <= PUBLIC_PRODUCTS.get(name, set()), name


@pytest.mark.parametrize(
    ("flags", "known"),
    [
        (("riscv64-linux-gnu-gcc",), False),
        (("riscv64-linux-gnu-gcc", "-DSAMARA_MULTIPLIES=0"), True),
        (("s390x-linux-gnu-gcc",), False),
        (("aarch64-linux-gnu-gcc",), True),
        (("riscv64-unknown-elf-gcc", *_RISCV, "-isystem", _PICOLIBC), True),
        (("gcc",), True),
    ],
)
def test_an_unknown_machine_is_reported(flags: tuple[str, ...], known: bool) -> None:  # noqa: FBT001 - a row
    source = CORE / "mode" / "ghash.c"
    includes = (f"-I{CORE}", f"-I{CORE}/include")
    words = [*flags, "-std=c11", "-Werror", "-fsyntax-only", *includes, str(source)]
    if known:
        toolchain.run(words)
    else:
        with pytest.raises(toolchain.BuildError, match="constant time"):
            toolchain.run(words)


@pytest.mark.parametrize("compiler", ALL)
def test_products_are_seen(compiler: Callable[[], list[str]], tmp_path: Path) -> None:
    source = CORE / "aead" / "chacha20_poly1305.c"
    options = ["-O2", "-DSAMARA_MULTIPLIES=1", str(source)]
    assert _products(compiler(), options, tmp_path)
