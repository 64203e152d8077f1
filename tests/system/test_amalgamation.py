# SPDX-License-Identifier: Apache-2.0
"""The single-file form of the library and of its groups, compiled alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from group_vectors import answers
from programs import ROOT, build, ended, run

from source_packages.core import cipher_groups, device_sources, groups

AMALGAMATE = ROOT / "tools" / "amalgamate"
CORE = ROOT / "core"

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
def built() -> Path:
    return build("gcc-O2", "samara", "amalgamation")


@pytest.fixture(scope="module")
def amalgamation(built: Path) -> Path:
    return built / "amalgamation"


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


@pytest.mark.parametrize("group", groups(CORE))
def test_a_group_is_complete_and_right(group: str, built: Path, tmp_path: Path) -> None:
    run(AMALGAMATE, "--only", group, "-o", tmp_path)
    program = tmp_path / "samara.o"
    run(*COMPILERS["gcc"], "-O1", "-c", tmp_path / "samara.c", "-o", program)
    assert missing(program) == []
    device = tmp_path / "device.o"
    run(*COMPILERS["atmega328p"], "-c", tmp_path / "samara.c", "-o", device)
    assert missing(device) == []
    folder = tmp_path / "answers"
    folder.mkdir()
    said = answers(program, folder, built / "core" / "libsamara.a")
    assert (", 0 failed" in said) == (group in cipher_groups(CORE)), said


def missing(program: Path) -> list[str]:
    """Return the functions of samara that an object file leaves to others."""
    listing = run("nm", "--undefined-only", program)
    return [line.split()[-1] for line in listing.splitlines() if "samara_" in line]


def test_groups_join(tmp_path: Path) -> None:
    run(AMALGAMATE, "--only", "ascon", "--only", "ieee802154", "-o", tmp_path)
    run(
        *COMPILERS["gcc"],
        "-O1",
        "-c",
        tmp_path / "samara.c",
        "-o",
        tmp_path / "samara.o",
    )
    listing = run("nm", "--defined-only", tmp_path / "samara.o")
    assert {"samara_ascon_aead128_seal", "samara_ieee802154_protect"} <= set(
        listing.split()
    )


def test_every_source_is_in_a_group() -> None:
    grouped = {source for row in groups(CORE).values() for source in row}
    assert grouped == set(device_sources(CORE))


def test_an_unknown_group_is_refused(tmp_path: Path) -> None:
    done = ended(AMALGAMATE, "--only", "des", "-o", tmp_path)
    assert done.returncode == 2
    assert "there is no group 'des'; expected one of 6lowpan, acorn128," in done.stdout
