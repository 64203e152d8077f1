# SPDX-License-Identifier: Apache-2.0
"""What projects are made from: firmware/projects/FAMILY/BUILD, found by scanning."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import places
from samara.bench.boards import board_of
from samara.bench.chips import chip_of, chip_or_device
from samara.bench.devices import device
from samara.crypto.names import find
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from samara.bench.devices import Device

SENSOR, RECEIVER = "sensor", "receiver"
_FAMILY, _BUILD = "project.toml", "build.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One way to build projects of a family."""

    folder: Path
    title: str
    code: str
    """Where the user's code goes, as all places below: within a project."""
    sources: str
    headers: str
    also: tuple[str, ...]
    """Files below firmware/ that this build needs."""
    commands: tuple[tuple[str, ...], ...]
    image: str
    flash: str
    """What programs a board."""

    @property
    def name(self) -> str:
        """Name of the build."""
        return self.folder.name


@dataclass(frozen=True, slots=True)
class Role:
    """What a board is in its link."""

    templates: Path
    """The directory with what only it has."""
    code: tuple[str, ...]
    """Files below firmware/ that are the user's."""
    sources: str
    """The C files of its program, but that of its board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Projects of devices with the same processor."""

    folder: Path
    machines: tuple[str, ...]
    """The directories of core/arch for its processors."""
    roles: Mapping[str, Mapping[str, Role]]
    """What a board is, by kind of link: a sensor, or a receiver where there is one."""
    longest_message: int
    """Bytes."""
    sleep_s: float
    devices: Mapping[str, Mapping[str, Any]]
    """What templates take of the devices that its code knows; `links` and `builds`
    that a device has; a directory with `templates` of its own."""
    runner: str = ""
    """What simulates a board, unless its row says so: a program of the family's
    devices, or a module."""

    def files(self, role: Role, device: str) -> list[Path]:
        """Return the templates that all builds of a role have for a device."""
        folders = [self.folder, role.templates]
        if own := self.devices[device].get("templates"):
            folders.append(self.folder / own)
        found = [path for folder in folders for path in folder.iterdir()]
        return [path for path in sorted(found) if _is_template(path)]

    def runner_of(self, device: str) -> str:
        """Return what simulates the board of a device."""
        return str(self.devices[device].get("runner", self.runner))

    def builds(self) -> dict[str, Build]:
        """Return the builds by name."""
        found = sorted(self.folder.glob(f"*/{_BUILD}"))
        return {path.parent.name: _read_build(path) for path in found}

    def build(self, name: str) -> Build:
        """Return the build of this name.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is none.
        """
        return find("build", name, self.builds())


def templates_of(build: Build) -> list[Path]:
    """Return the templates that one build has."""
    return [path for path in sorted(build.folder.rglob("*")) if _is_template(path)]


def _is_template(path: Path) -> bool:
    return path.is_file() and path.name not in {_FAMILY, _BUILD}


def firmware() -> Path:
    """Return the directory firmware/ of the sources."""
    return places.root() / "firmware"


@cache
def families() -> dict[str, Family]:
    """Return the families that have projects, by name."""
    found = sorted((firmware() / "projects").glob(f"*/{_FAMILY}"))
    return {path.parent.name: _read_family(path) for path in found}


def build_names() -> list[str]:
    """Return the names of all builds."""
    return sorted({name for each in families().values() for name in each.builds()})


def link_names() -> list[str]:
    """Return the kinds of links that projects have."""
    return sorted({name for each in families().values() for name in each.roles})


def device_names(role: str = SENSOR, link: str | None = None) -> list[str]:
    """Return the names of all devices that have projects of a role, and a link."""
    return sorted(
        {
            name
            for family in families().values()
            for name, row in family.devices.items()
            for each in row["links"]
            if link in (None, each) and role in family.roles.get(each, {})
        }
    )


def target(name: str) -> tuple[Device, Family]:
    """Return a device, or a chip with figures of its own, and the projects for it.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        When there is no such device, or no project for it.
    """
    written = _chip_written(name)
    for family in families().values():
        for known, row in family.devices.items():
            if written in (known, row.get("chip"), row.get("processor")):
                return chip_or_device(known), family
    found = device(name)
    reason = _no_project(name, found)
    message = (
        f"there is no project for {name}: {reason};"
        f" take --device {', '.join(device_names())}"
    )
    raise MisuseError(message)


def _no_project(name: str, found: Device) -> str:
    """Return why a device has no project."""
    if found.family.name not in families():
        what = "it is" if name.lower() == found.name else f"here it is {found.name},"
        return (
            f"{what} a processor that {found.family.simulator} simulates, without"
            " UART, sleep and flash memory around it"
        )
    return (
        "no board.c here knows the UART, sleep and memory for counters of this chip"
        " (docs/firmware.md says how to write one)"
    )


def _chip_written(name: str) -> str:
    """Return the name of what a user named: of the chip of a board, or a device.

    A chip with figures of its own has one name for all its order codes.
    """
    board = board_of(name)
    written = name.lower() if board is None or board.differs else board.chip
    chip = chip_of(written)
    return chip.name if chip else written


def _read_family(path: Path) -> Family:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    table["roles"] = {
        link: {name: _role(path.parent, row) for name, row in roles.items()}
        for link, roles in table["roles"].items()
    }
    table["machines"] = tuple(table["machines"])
    return Family(folder=path.parent, **table)


def _role(folder: Path, row: Mapping[str, Any]) -> Role:
    return Role(folder / row["templates"], tuple(row["code"]), row["sources"])


def _read_build(path: Path) -> Build:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    table["also"] = tuple(table["also"])
    table["commands"] = tuple(tuple(each) for each in table["commands"])
    return Build(folder=path.parent, **table)
