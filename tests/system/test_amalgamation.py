# SPDX-License-Identifier: Apache-2.0
"""The single-file form of the library, compiled alone by every compiler."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import build, run

STRICT = ("-Wall", "-Wextra", "-Werror")
HOST = ("-std=c11", "-O2", "-pedantic", *STRICT)
COMPILERS = {
    "gcc": ("gcc", *HOST),
    "clang": ("clang", *HOST),
    "atmega328p": ("avr-gcc", "-mmcu=atmega328p", "-Os", "-std=gnu11", *STRICT),
    # What another language or processor changes, the parser sees.
    "atmega128": ("avr-gcc", "-mmcu=atmega128", "-fsyntax-only", *STRICT),
    "atmega328p-C11": (
        *("avr-gcc", "-mmcu=atmega328p", "-fsyntax-only", "-std=c11", *STRICT),
    ),
    "msp430f1611": (
        *("clang", "--target=msp430", "-mmcu=msp430f1611", "-std=c11", "-Os"),
        *("-ffreestanding", "-nostdinc", *STRICT),
    ),
}


@pytest.fixture(scope="module")
def amalgamation() -> Path:
    return build("gcc-O2", "amalgamation") / "amalgamation"


@pytest.mark.parametrize("name", COMPILERS)
def test_it_compiles_without_a_warning(
    name: str, amalgamation: Path, tmp_path: Path
) -> None:
    command: list[str | Path] = [*COMPILERS[name]]
    if "-nostdinc" in command:
        # There is no C library for MSP430: only the compiler's own headers.
        resources = run("clang", "-print-resource-dir").strip()
        command += ["-isystem", Path(resources) / "include"]
    run(*command, "-c", amalgamation / "samara.c", "-o", tmp_path / "samara.o")
