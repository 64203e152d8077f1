# SPDX-License-Identifier: Apache-2.0
"""A project of firmware: a directory with samara.toml, and how it is built."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from samara.bench import toolchain
from samara.bench.simulators.avr_programs import avr_program
from samara.errors import MisuseError
from samara.firmware.templates import SENSOR, Family, target
from samara.records import Parameter, Request, request_class
from samara.toml_rows import tables_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.devices import Device
    from samara.firmware.templates import Build, Role

SETTINGS = "samara.toml"
RECORD, HOST, SIMULATED = "record.h", "host", "simulated"
SERIAL = "rf-serial"
"""The kind of link by a radio at a UART."""
BAUD = 9600
"""Of the UART to the modem, as board.c has it."""


@request_class
class ProjectRequest(Request):
    """A project that is there."""

    CHANGES = "builds"

    project: Annotated[
        Path,
        Parameter(
            metavar="DIR",
            help="Directory that `samara firmware new` made.",
            is_argument=True,
        ),
    ]


@dataclass(frozen=True, slots=True)
class Project:
    """A project in a directory."""

    folder: Path
    name: str
    device: Device
    family: Family
    build: Build
    link: str
    suite: str
    packet_size: int
    role: str
    more: Mapping[str, Any]
    """Other options of the link."""

    @property
    def options(self) -> dict[str, Any]:
        """Options of the link, of which nodes and records are made."""
        packets = {"packet_size": self.packet_size} if self.link == SERIAL else {}
        return {"suite": self.suite, **packets, **self.more}

    @property
    def image(self) -> Path:
        """The linked program, when it is built."""
        return self.folder / filled(self.build.image, self.words)

    @property
    def words(self) -> dict[str, Any]:
        """What stands for the words between @ in templates."""
        role = self.family.roles[self.link][self.role]
        own = words_of(self.name, self.device, self.family, role)
        return own | {"FOLDER": self.folder.resolve()}

    def make(self) -> Path:
        """Build the project as it is, and return its image.

        Raises
        ------
        samara.bench.toolchain.ToolMissingError, MisuseError
            When a tool is missing, or the project does not build.
        """
        for command in self.build.commands:
            words = [filled(word, self.words) for word in command]
            try:
                # Objects contain the key of the record.
                toolchain.run(words, folder=self.folder, keeps_objects=False)
            except toolchain.BuildError as error:
                message = f"{self.folder} does not build: {error}"
                raise MisuseError(message) from None
        return self.image

    def simulator(self) -> list[str]:
        """Return the command that simulates the board."""
        runner = self.family.runner_of(self.device.name)
        if runner.startswith("samara."):
            return [sys.executable, "-m", runner]
        return [str(avr_program(runner))]


def words_of(name: str, device: Device, family: Family, role: Role) -> dict[str, Any]:
    """Return what stands for the words of a device in templates."""
    program, *_ = role.sources.split(".")
    return {
        "NAME": name,
        "ROLE": program,
        "SOURCES": role.sources,
        "DEVICE": device.name,
        "MCU": device.mcu,
        "CLOCK_HZ": device.clock_hz,
        "TITLE": device.title,
        "FLASH_START": f"{device.flash_start:#x}",
        "FLASH_BYTES": device.flash_bytes,
        "RAM_START": f"{device.ram_start:#x}",
        "RAM_BYTES": device.ram_bytes,
        **family.devices[device.name],
    }


def filled(text: str, words: Mapping[str, Any]) -> str:
    """Return a text with a value in place of each @WORD@.

    >>> filled("-mmcu=@MCU@ @OTHER@", {"MCU": "atmega328p"})
    '-mmcu=atmega328p @OTHER@'
    """
    for word, value in words.items():
        text = text.replace(f"@{word}@", str(value))
    return text


def read(folder: Path) -> Project:
    """Read a project.

    Raises
    ------
    MisuseError
        When the directory has no project that this version knows.
    """
    path = folder / SETTINGS
    try:
        table = tables_of(path, str(path))
        device, family = target(str(table["device"]))
        build = family.build(str(table["build"]))
        link, suite = str(table["link"]), str(table["suite"])
        packet_size = int(table["packet_size"])
        name, role = str(table["name"]), str(table.get("role", SENSOR))
        more = dict(table.get("options", {}))
        if role not in family.roles.get(link, {}):
            message = f"{device.name} has no {role} over {link}"
            raise ValueError(message)  # noqa: TRY301 - as what Python finds
    except FileNotFoundError:
        message = f"{folder} is no project: give a directory of samara firmware new"
        raise MisuseError(message) from None
    except KeyError as error:
        message = f"{path} is damaged: it has no {error.args[0]}"
        raise MisuseError(message) from None
    except (TypeError, ValueError, OverflowError) as error:
        message = f"{path} is damaged: {error}"
        raise MisuseError(message) from None
    ends = (link, suite, packet_size, role, more)
    return Project(folder, name, device, family, build, *ends)
