# SPDX-License-Identifier: Apache-2.0
"""Parts that users describe in files of their own, beside those of the catalogue.

A file has tables named after the kind and the part, such as ``[radio.my-radio]``. It is
named by `--parts`, or found in ``samara-parts/`` of the working directory or in
``parts/`` of the user's configuration directory of samara.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import devices
from samara.crypto.names import find
from samara.energy import catalogue, coprocessor
from samara.energy import mac as medium_accesses
from samara.energy.capacitors import Capacitor
from samara.energy.catalogue import Battery, Controller, Memory, Radio
from samara.energy.controller_power import Board, board_of
from samara.energy.part_checks import part_of
from samara.energy.part_entries import KINDS, Entry, OwnDevice, OwnMac, entries_of
from samara.energy.part_files import content_of, found_files
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_DEVICES = "devices.toml"
"""Of samara's own parts: devices, written as those of users."""


@dataclass(frozen=True, slots=True)
class OwnParts:
    """The parts of some files. One is read when it is asked for."""

    entries: Mapping[tuple[str, str], Entry] = field(default_factory=dict)
    """By kind and name."""
    _read: dict[tuple[str, str], Any] = field(
        default_factory=dict, compare=False, repr=False
    )

    def get(self, kind: str, name: str) -> Any:  # noqa: ANN401 - a row of that kind
        """Return a part; None if the files have none of this name.

        Raises
        ------
        MisuseError
            When it is not described in full, or a value is wrong.
        """
        key = (kind, name)
        if key not in self.entries:
            return None
        if key not in self._read:
            self._read[key] = part_of(self.entries[key])
        return self._read[key]

    def names(self, kind: str) -> list[str]:
        """Return the names of the parts of a kind."""
        return [name for of, name in self.entries if of == kind]

    def _find(self, kind: type[Any], name: str) -> Any:  # noqa: ANN401 - of that kind
        own = self.get(kind.kind, name)
        if own is not None:
            return own
        known = {**dict.fromkeys(self.names(kind.kind)), **catalogue.rows_of(kind)}
        return find(kind.kind, name, known)

    def radio(self, name: str) -> Radio:
        """Return a radio of the files, or of the catalogue.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is none. So do the others.
        MisuseError
            As `get`. So do the others.
        """
        found: Radio = self._find(Radio, name)
        return found

    def battery(self, name: str) -> Battery:
        """Return a battery or a capacitor of the files, or of the catalogue."""
        if self.get(Battery.kind, name) is None:
            capacitors = catalogue.rows_of(Capacitor)
            held = self.get(Capacitor.kind, name) or capacitors.get(name)
            if held is not None:
                store: Battery = held.battery()
                return store
        found: Battery = self._find(Battery, name)
        return found

    def memory(self, name: str) -> Memory:
        """Return a memory of the files, or of the catalogue."""
        found: Memory = self._find(Memory, name)
        return found

    def device(self, name: str) -> OwnDevice | None:
        """Return a device of the files, or one that samara describes.

        None if the name is of a device of the bench, or of none.
        """
        found: OwnDevice | None = self.get(OwnDevice.kind, name)
        return found or described_devices().get(name)

    def mac(self, name: str) -> OwnMac | None:
        """Return a medium access of the files; None if they have none of this name."""
        found: OwnMac | None = self.get(OwnMac.kind, name)
        return found

    def measured_as(self, name: str) -> str:
        """Return the device whose cycles a device has: of the bench, or a core."""
        own = self.device(name)
        return own.measured_as if own else name

    def board(self, name: str) -> Board:
        """Return clock, voltage and current of a device."""
        own = self.device(name)
        if own is None:
            return board_of(coprocessor.host_of(name))
        return Board(name, own.clock_hz.value, own.supply_v.value, own.active_a)

    def controller(self, name: str) -> Controller:
        """Return what a device draws while it computes nothing."""
        own = self.device(name)
        return own or catalogue.controller(coprocessor.host_of(name))

    def resolved_device(self, name: str) -> tuple[str, str]:
        """Return the name of a device, and what a user should know of it.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is no such device, neither in the files nor elsewhere.
        """
        own = self.device(name)
        if own is None:
            return coprocessor.resolved_device(name)
        return own.name, f"{own.name} has the cycles of {own.measured_as}"


NO_PARTS = OwnParts()


@cache
def described_devices() -> Mapping[str, OwnDevice]:
    """Return the devices of samara's catalogue that the bench does not measure."""
    place = catalogue.DATA + _DEVICES
    return {
        name: part_of(Entry(OwnDevice.kind, name, table, place))
        for name, table in catalogue.read(_DEVICES).items()
    }


def own_parts(given: Sequence[Path] = ()) -> OwnParts:
    """Return the parts of the files that are given, and of those that are found.

    The files that are given are checked as a whole; what a found file has is checked
    when it is used.

    Raises
    ------
    MisuseError
        When a file cannot be read, or is none of parts; when a part of a given one is
        wrong; or when a name is there twice, or is one of the catalogue.
    """
    if not given and not any(True for _ in found_files()):
        return NO_PARTS
    entries: dict[tuple[str, str], Entry] = {}
    files: dict[Path, Path] = {}
    for path in (*given, *found_files()):
        files.setdefault(path.resolve(), path)
    for path in files.values():
        for each in entries_of(content_of(path), str(path)):
            _refuse_second(each, entries)
            entries[each.kind, each.name] = each
    found = OwnParts(entries)
    named = {str(path) for path in given}
    for each in entries.values():
        if each.place in named:
            found.get(each.kind, each.name)
    return found


def found_names(kind: str) -> list[str]:
    """Return the names of the parts that are found; none if a file is wrong."""
    try:
        return own_parts().names(kind)
    except MisuseError:
        return []


def _refuse_second(one: Entry, others: Mapping[tuple[str, str], Entry]) -> None:
    other = others.get((one.kind, one.name))
    place = other.place if other else None
    if place is None and one.name in built_in_names(one.kind):
        place = "samara's own catalogue"
    if place is not None:
        message = f"{one.name_in_errors} is also in {place}: give it another name"
        raise MisuseError(message)


def built_in_names(kind: str) -> list[str]:
    """Return the names of the parts of a kind that the catalogue has."""
    if kind == OwnMac.kind:
        return medium_accesses.names()
    if kind == OwnDevice.kind:
        described, measured = described_devices(), devices.devices()
        names = [name for each in measured for name in (each.name, *each.chips)]
        # Of a chip that has its own currents these count.
        return [*(name for name in names if name not in described), *described]
    return list(catalogue.rows_of(KINDS[kind]))
