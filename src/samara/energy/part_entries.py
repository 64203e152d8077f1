# SPDX-License-Identifier: Apache-2.0
"""The tables of files of parts: the kinds of parts, and one table of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from samara.energy.capacitors import Capacitor
from samara.energy.catalogue import Battery, Controller, Memory, Radio
from samara.energy.part_values import unknown_field
from samara.energy.quantity import Quantity  # noqa: TC001 - `row_of` reads the types
from samara.errors import MisuseError
from samara.toml_rows import tables_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CORES = "grain-"
"""What names of cores in hardware begin with, as `--device` takes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDevice(Controller):
    """A microcontroller whose cycles are those of a device of the bench."""

    kind: ClassVar[str] = "device"

    measured_as: str
    """The device of the bench, or a chip that it stands for."""
    clock_hz: Quantity
    supply_v: Quantity
    active_a: Quantity
    """While it computes."""


@dataclass(frozen=True, slots=True)
class OwnMac:
    """A medium access with settings of its own."""

    kind: ClassVar[str] = "mac"

    name: str
    title: str
    medium_access: str
    settings: Mapping[str, Quantity]
    """By the names of the fields of the medium access."""

    @property
    def stated(self) -> dict[str, float]:
        """The settings as stated."""
        return {name: each.value for name, each in self.settings.items()}


KINDS: Mapping[str, type[Any]] = {
    each.kind: each for each in (Radio, Battery, Capacitor, OwnDevice, OwnMac, Memory)
}
"""The parts that a file can describe, by the names of their tables."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table of a file."""

    kind: str
    name: str
    table: Any
    place: str
    """The file, as users know it."""

    @property
    def name_in_errors(self) -> str:
        """The part and its file, as errors name them."""
        return f"the {self.kind} {self.name} of {self.place}"


def names_of(kind: str) -> list[str]:
    """Return the names of the fields that a part of a kind has beside its name."""
    return [each.name for each in fields(KINDS[kind]) if each.name != "name"]


def entries_of(content: bytes, place: str) -> Iterator[Entry]:
    """Yield the tables of a file of parts.

    Raises
    ------
    MisuseError
        When it is no such file.
    """
    for kind, tables in tables_in(content, place).items():
        if kind not in KINDS:
            raise MisuseError(unknown_field(place, kind, KINDS))
        if not isinstance(tables, Mapping):
            message = f"{kind} of {place} is no table: expected [{kind}.NAME]"
            raise MisuseError(message)
        for name, table in tables.items():
            if not isinstance(table, Mapping):
                message = (
                    f"{kind}.{name!r:.60} of {place} is no table: expected a name in "
                    f"front of the fields, [{kind}.NAME]"
                )
                raise MisuseError(message)
            check_name(kind, name, place)
            yield Entry(kind, name, table, place)


def check_name(kind: str, name: str, place: str) -> None:
    """Check the name of a part.

    Raises
    ------
    MisuseError
        When options could not name it.
    """
    if not _NAME.fullmatch(name) or name.startswith(_CORES):
        message = (
            f"the {kind} {name!r:.80} of {place} has a name that is not possible: "
            "expected at most 64 letters, digits, points, hyphens and underscores, "
            f"beginning with a letter or digit, and not with {_CORES}"
        )
        raise MisuseError(message)
