# SPDX-License-Identifier: Apache-2.0
"""No circle between C files: none needs a file that needs it in turn.

A file needs another one if its object file has an undefined symbol that the other one
defines. Objects are those of the built library, and of each family of devices with
its assembly.
"""

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from samara.bench import building, devices, subjects, ways

ROOT = Path(__file__).parents[2]
OBJECTS = ROOT / "build" / "release" / "core" / "CMakeFiles" / "samara.dir"
NAMES_MIN = 30
"""C files that every build has at least."""

Needs = Mapping[str, set[str]]


def needs_in(listing: str) -> Needs:
    """Return the objects that each object needs, from what `nm -A` prints."""
    defined: dict[str, str] = {}
    undefined: dict[str, set[str]] = {}
    for line in listing.splitlines():
        place, _, _ = line.partition(":")
        *_, kind, symbol = line.split()
        undefined.setdefault(place, set())
        if kind == "U":
            undefined[place].add(symbol)
        elif kind.isupper():
            defined[symbol] = place
    return {
        name: {defined[symbol] for symbol in symbols & defined.keys()} - {name}
        for name, symbols in undefined.items()
    }


def circles(needs: Needs) -> list[str]:
    """Return the files that need themselves by way of others."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            for name in needs[waiting.pop()] - found:
                found.add(name)
                waiting.append(name)
        return found

    return sorted(name for name in needs if name in reached(name))


def symbols_of(objects: Iterable[Path]) -> str:
    command = ["nm", "-A", *map(str, objects)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_no_circle_in_the_library() -> None:
    needs = needs_in(symbols_of(sorted(OBJECTS.rglob("*.c.o"))))
    assert len(needs) > NAMES_MIN
    assert sum(map(len, needs.values())) > NAMES_MIN
    assert circles(needs) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["atmega328p", "cortex-m4", "msp430f1611"])
def test_no_circle_in_what_runs_on_a_device(name: str) -> None:
    build = ways.Build(devices.device(name), "assembly", "Os")
    needs = needs_in(symbols_of(building.objects(build, subjects.subject("aes128"))))
    assert len(needs) > NAMES_MIN
    assert circles(needs) == []


def test_a_circle_of_three_is_found_and_its_neighbours_are_not() -> None:
    listing = """\
one.c.o:0000000000000000 T one
one.c.o:                 U two
two.c.o:0000000000000000 T two
two.c.o:                 U three
three.c.o:0000000000000000 D three
three.c.o:                 U one
three.c.o:                 U below
below.c.o:0000000000000000 T below
below.c.o:0000000000000000 t one
above.c.o:                 U one
above.c.o:                 U memcpy
"""
    needs = needs_in(listing)
    assert needs["three.c.o"] == {"one.c.o", "below.c.o"}
    assert circles(needs) == ["one.c.o", "three.c.o", "two.c.o"]
