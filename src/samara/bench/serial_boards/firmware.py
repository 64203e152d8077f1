# SPDX-License-Identifier: Apache-2.0
"""The measuring program for a board: with a serial port and marks that read a timer."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara import atomic_files
from samara.bench import building, places, toolchain, units
from samara.bench.units import Unit

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.building import Program
    from samara.bench.devices import Family
    from samara.bench.serial_boards.ports import Port
    from samara.bench.subjects import Subject
    from samara.bench.ways import Build

_MONITOR = "board.c"
_SLUG_MAX = 34
"""Characters of a suite's name that fit into what the program tells of itself."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """A program for a board."""

    name: str
    """What it tells of itself: suite, implementation, optimisation, and a hash."""
    program: Program
    hex_file: Path
    """The same in Intel's format."""

    @property
    def elf(self) -> Path:
        """The file of the linker."""
        return self.program.image.path


def made(build: Build, subject: Subject, port: Port, baud: int) -> Firmware:
    """Build the program, unless that was done before.

    Raises
    ------
    samara.bench.toolchain.BuildError, samara.bench.toolchain.TooLargeError
        If it cannot be built, such as for a baud rate that the clock does not give.
    """
    family = build.device.family
    glue = _glue(family, subject, port, (build.device.clock_hz, baud))
    objects = building.objects_of(build, glue) + building.objects(build, subject)
    names = (str(path.relative_to(places.made())) for path in objects)
    digest = hashlib.sha256("\0".join(names).encode())
    way = (subject.slug[:_SLUG_MAX], build.implementation, build.opt)
    name = " ".join((*way, digest.hexdigest()[:8]))
    objects += building.objects_of(build, [_monitor(family, name)])
    image = building.linked(build, objects, f"{subject.image_name}.board")
    program = building.Program(image=image, empty=image, files=(), sources="")
    return Firmware(name, program, _hex_file(image.path, family))


def _glue(
    family: Family, subject: Subject, port: Port, clock_and_baud: tuple[int, int]
) -> list[Unit]:
    """Return the measuring program, but for what serves the host."""
    clock, baud = clock_and_baud
    macros = (*port.macros, f"BOARD_CLOCK_HZ={clock}UL", f"BOARD_BAUD={baud}UL")
    drivers = [
        Unit(
            _serial(family) / name,
            f"board-{subject.image_name}",
            _includes(family),
            (*_FLAGS, *(f"-D{macro}" for macro in macros)),
        )
        for name in port.sources
    ]
    usual = [
        Unit(
            unit.source,
            f"board-{unit.folder}",
            (*unit.includes, *_includes(family)),
            (*unit.flags, "-DMEASURE_ON_BOARD"),
        )
        for unit in units.glue(family, subject)
    ]
    return [*usual, *drivers]


def _monitor(family: Family, name: str) -> Unit:
    flags = (*_FLAGS, f'-DBOARD_PROGRAM="{name}"')
    return Unit(_folder() / _MONITOR, "board-measure", _includes(family), flags)


_FLAGS = ("-ffreestanding", "-DMEASURE_ON_BOARD")


def _folder() -> Path:
    return places.root() / "firmware" / "measure" / "board"


def _serial(family: Family) -> Path:
    return family.folder / "serial"


def _includes(family: Family) -> tuple[Path, ...]:
    return (_folder(), _folder().parent, _serial(family))


def _hex_file(image: Path, family: Family) -> Path:
    target = image.with_suffix(".hex")
    if not target.is_file():
        tool = family.compiler.replace("gcc", "objcopy")
        with atomic_files.made_by(target) as temporary:
            toolchain.run([tool, "-O", "ihex", image, temporary])
    return target
