# SPDX-License-Identifier: Apache-2.0
"""Parts that users describe in files of their own, beside those of the catalogue.

A file has tables named after the kind and the part, such as ``[radio.my-radio]``. It is
named by `--parts`, or found in ``samara-parts/`` of the working directory or in
``parts/`` of the user's configuration directory of samara.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from samara.bench import devices
from samara.crypto.names import find
from samara.energy import catalogue, coprocessor
from samara.energy import mac as medium_accesses
from samara.energy.capacitors import Capacitor
from samara.energy.catalogue import Battery, Controller, Memory, Radio
from samara.energy.controller_power import Board, board_of
from samara.energy.part_values import in_si, quantity_table, spellings, unknown_field
from samara.energy.quantity import Quantity
from samara.errors import MisuseError
from samara.toml_rows import needed, row_of, tables_in
from samara.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLDER = "samara-parts"
"""Of the working directory, whose files are found without being named."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CORES = "grain-"
"""What names of cores in hardware begin with, as `--device` takes them."""
_DEVICES = "devices.toml"
"""Of samara's own parts: devices, written as those of users."""
_SIZE_MAX = 1 << 20
_FILES_MAX = 1000
_ABOVE_ZERO = frozenset(
    {"bit_rate", "supply_v", "capacity_ah", "voltage_v", "clock_hz", "active_a"}
    | {"write_bytes", "unit_bytes", "size_bytes", "shelf_years"}
)
"""Quantities that the energy model divides by."""


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
    def what(self) -> str:
        """The part and its file, as errors name them."""
        return f"the {self.kind} {self.name} of {self.place}"


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


def names_of(kind: str) -> list[str]:
    """Return the names of the fields that a part of a kind has beside its name."""
    return [each.name for each in fields(KINDS[kind]) if each.name != "name"]


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
        for each in entries_of(_content(path), str(path)):
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


def found_files() -> Iterator[Path]:
    """Yield the files that are found without being named, in the order of the search.

    Raises
    ------
    MisuseError
        When there are more than a thousand.
    """
    for folder in folders():
        paths = sorted(folder.glob("*.toml"))
        if len(paths) > _FILES_MAX:
            message = f"{folder} has {len(paths)} files: at most {_FILES_MAX} are read"
            raise MisuseError(message)
        yield from paths


def folders() -> list[Path]:
    """Return the directories whose files are found."""
    of_user = user_folder("XDG_CONFIG_HOME", ".config")
    return [Path(FOLDER), *([of_user / "parts"] if of_user else [])]


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_SIZE_MAX + 1)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise MisuseError(message) from None
    if len(content) > _SIZE_MAX:
        message = f"{path} is too long: at most {_SIZE_MAX} bytes are taken"
        raise MisuseError(message)
    return content


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


def _refuse_second(one: Entry, others: Mapping[tuple[str, str], Entry]) -> None:
    other = others.get((one.kind, one.name))
    place = other.place if other else None
    if place is None and one.name in built_in_names(one.kind):
        place = "samara's own catalogue"
    if place is not None:
        message = f"{one.what} is also in {place}: give it another name"
        raise MisuseError(message)


def built_in_names(kind: str) -> list[str]:
    """Return the names of the parts of a kind that the catalogue has."""
    if kind == OwnMac.kind:
        return medium_accesses.names()
    if kind == OwnDevice.kind:
        measured = devices.devices()
        names = [name for each in measured for name in (each.name, *each.chips)]
        return [*names, *described_devices()]
    return list(catalogue.rows_of(KINDS[kind]))


def part_of(entry: Entry) -> Any:  # noqa: ANN401 - a row of its kind
    """Return the part that a table describes.

    Raises
    ------
    MisuseError
        When it is not filled in, a field is missing or not known, or a value is wrong.
    """
    kind, what = KINDS[entry.kind], entry.what
    _refuse_unprintable(what, entry.table)
    _refuse_unfilled(what, entry.table)
    if kind is OwnMac:
        return _mac_of(entry)
    table = _with_like(kind, in_si(kind, what, entry.table))
    names = names_of(entry.kind)
    _check_fields(what, entry.table, table, names, needed(kind)[2:])
    named = {"name": entry.name, "title": entry.name}
    row = row_of(kind, what, table, named)
    for name in _ABOVE_ZERO & set(names):
        if not getattr(row, name).value > 0:
            message = f"{spellings(names)[name]} of {what} is 0: expected more than 0"
            raise MisuseError(message)
    if isinstance(row, OwnDevice):
        devices.device(row.measured_as)
    return row


def _with_like(kind: type[Any], table: dict[str, Any]) -> dict[str, Any]:
    """Return a table with the fields of the built-in radio that it says to be like."""
    name = table.get("like")
    if kind is not Radio or not isinstance(name, str) or not name:
        return table
    same = asdict(catalogue.radio(name))
    own_names = ("name", "title", "event_c", "software")
    return {**{n: each for n, each in same.items() if n not in own_names}, **table}


def _check_fields(
    what: str,
    given: Mapping[str, Any],
    table: Mapping[str, Any],
    names: Sequence[str],
    wanted: Sequence[str],
) -> None:
    """Refuse fields that are not known, and those that are missing."""
    spelled = spellings(names)
    for name in given:
        if name not in spelled and name not in spelled.values():
            raise MisuseError(unknown_field(what, name, spelled.values()))
    missing = [spelled[each] for each in wanted if each not in table]
    if missing:
        message = f"{what} lacks {', '.join(missing)}"
        raise MisuseError(message)


def _mac_of(entry: Entry) -> OwnMac:
    what, table = entry.what, dict(entry.table)
    title = table.pop("title", entry.name)
    access = table.pop("medium_access", None)
    if not isinstance(access, str) or not isinstance(title, str):
        message = (
            f"{what} lacks medium_access or has a title that is no text: expected such "
            'as medium_access = "polling"'
        )
        raise MisuseError(message)
    spelled = spellings(medium_accesses.settings(access))
    by_name = {short: name for name, short in spelled.items()}
    settings: dict[str, Quantity] = {}
    for name, value in table.items():
        setting = name if name in by_name.values() else by_name.get(name)
        if setting is None:
            raise MisuseError(unknown_field(f"{what}, {access},", name, by_name))
        place = f"{name} of {what}"
        given = quantity_table(setting, place, value)
        settings[setting] = row_of(Quantity, place, given)
    # Refuses settings that cannot be together.
    medium_accesses.mac(access, **{name: q.value for name, q in settings.items()})
    return OwnMac(entry.name, title, access, settings)


def _texts(where: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield all texts of a table with the field that each is in."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield "the name of a field", name
            yield from _texts(f"{name} of {where}" if where else name, each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(where, each)


def _refuse_unprintable(what: str, table: Mapping[str, Any]) -> None:
    for where, text in _texts("", table):
        if not text.isprintable():
            message = f"{where} of {what} is {text!r:.60}: expected printable text"
            raise MisuseError(message)


def _refuse_unfilled(what: str, table: Mapping[str, Any]) -> None:
    """Refuse what the template leaves to be filled in: a question mark."""
    for where, text in _texts("", table):
        if text.startswith("?"):
            message = (
                f"{where} of {what} is not filled in: expected a value in place of "
                f"{text!r}"
            )
            raise MisuseError(message)
