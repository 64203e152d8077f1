# SPDX-License-Identifier: Apache-2.0
"""Devices by name: each directory in devices/ with a device.toml is one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping  # noqa: TC003 - `row_of` reads the types
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import boards, places
from samara.bench.boards import Board, board_of
from samara.bench.cores import core_of
from samara.crypto.names import UnknownNameError, near
from samara.errors import MisuseError
from samara.figure import Origin
from samara.toml_rows import row_of, tables_of

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value and its source."""

    value: float
    source: str
    checked: bool
    """Whether the value was read in the source, and not quoted from memory."""


@dataclass(frozen=True, slots=True)
class Family:
    """Processor, compiler and simulator that several devices share."""

    name: str
    folder: Path
    title: str
    simulator: str
    """Name of the simulator in `samara.bench.simulators`."""
    cycles: Origin
    """Measured where the simulator's cycles are exact, else estimated."""
    word_bytes: int
    """Bytes of a pointer, and of each field of a job."""
    compiler: str
    flags: tuple[str, ...]
    linker: str
    linker_flags: tuple[str, ...]
    linker_prefix: str = ""
    """Prefix of options that a compiler passes to its linker."""
    libraries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Start-up and support code, in the directory."""
    blocks_at_once: int = 1
    """Blocks that AES encrypts at once, in C or in assembly."""
    cycles_note: str = ""
    """What the cycles leave out, if anything."""
    data_offset: int = 0
    """Offset that the linker adds to addresses of data memory."""
    register_bytes: int = 0
    """Data memory that is the processor's registers and flags, from address 0 on."""
    disassembler: str = ""
    partial_link: tuple[str, ...] = ()
    """Arguments of the compiler that join objects with functions of the C library that
    they call; none where the objects are all that there is to read."""
    timing: str = ""
    """The processor whose cycles and memory the simulator's runner gives to a chip
    that the simulator has; "" if it is that chip."""
    simulated_as: str = ""
    """That chip, by the simulator's name; the device's `mcu` if ""."""
    interrupts_off: str = ""
    """What switches interrupts off: a regular expression of an instruction as the
    disassembler writes it, with one space, and none after commas."""


@dataclass(frozen=True, slots=True)
class Device:
    """A simulated microcontroller. Sizes are in bytes."""

    name: str
    title: str
    family: Family
    mcu: str
    clock_hz: int
    flash_bytes: int
    ram_start: int
    ram_bytes: int
    supply_voltage_v: Quantity
    active_current_a: Quantity
    mapped_flash: int = 0
    """Where its flash memory begins in data memory; 0 if it is not there."""
    flash_start: int = 0
    features: tuple[str, ...] = ()
    """What the chip has that some implementations need, such as an AES engine."""
    core: str = ""
    """Its processor's directory in `cores` of the family, if that is simulated from
    Verilog."""
    chips: tuple[str, ...] = ()
    """Other chips with the same processor, whose cycles are the device's. Clock,
    memory, voltage and current are not theirs."""
    suites: tuple[str, ...] = ()
    """What a run of everything measures on it, by name; all if empty. The others are
    measured when they are named."""
    radios: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The radio on the chip or the board, by kind of link: a name of the energy
    model's catalogue."""
    controller: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What it draws while it computes nothing, as the energy model's catalogue reads
    it: quantities by name."""

    def __post_init__(self) -> None:
        """Refuse what no device has."""
        for name in ("clock_hz", "flash_bytes", "ram_bytes"):
            if getattr(self, name) <= 0:
                message = f"{name} is {getattr(self, name)}: expected more than 0"
                raise ValueError(message)

    def measures(self, suite: str) -> bool:
        """Return whether a run of everything measures a suite or block cipher on it."""
        return suite in self.suites or not self.suites

    def words(self, texts: tuple[str, ...]) -> list[str]:
        """Replace {names} in `texts` by the values of this device."""
        values = {
            "mcu": self.mcu,
            "family": str(self.family.folder),
            "flash_bytes": self.flash_bytes,
            "ram_start": self.ram_start,
            "ram_bytes": self.ram_bytes,
            "mapped_flash": self.mapped_flash,
            # Replaced when the compiler is called.
            "headers": "{headers}",
        }
        return [text.format(**values) for text in texts]

    def time_us(self, cycles: int) -> float:
        """Return the time of cycles, in microseconds."""
        return cycles / self.clock_hz * 1e6

    def energy_uj(self, cycles: int) -> float:
        """Return the energy of cycles, in microjoules."""
        watts = self.supply_voltage_v.value * self.active_current_a.value
        return self.time_us(cycles) * watts

    @property
    def energy_origin(self) -> Origin:
        """Origin of its energy figures: assumed if voltage or current is unchecked."""
        checked = self.active_current_a.checked and self.supply_voltage_v.checked
        return Origin.ESTIMATED if checked else Origin.ASSUMED

    @property
    def energy_source(self) -> str:
        """Current and voltage that energy is computed from, and their source."""
        current, voltage = self.active_current_a, self.supply_voltage_v
        doubt = "" if current.checked else ", not checked"
        return (
            f"{current.value * 1e3:g} mA at {voltage.value:g} V"
            f" ({current.source}{doubt})"
        )


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _tuples(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}


@cache
def _family(name: str) -> Family:
    folder = places.root() / "devices" / "families" / name
    fields = _tuples(_read(folder / "family.toml"))
    fields["cycles"] = Origin(fields["cycles"])
    return Family(name=name, folder=folder, **fields)


def _from_folder(folder: Path) -> Device:
    place = f"devices/{folder.name}/device.toml"
    what = f"the device {folder.name} of {place}"
    given = tables_of(folder / "device.toml", place)
    if "family" in given:
        given["family"] = _family_of(what, given["family"])
    return row_of(Device, what, given, {"name": folder.name})


def _family_of(what: str, name: object) -> Family:
    families = places.root() / "devices" / "families"
    known = sorted(path.parent.name for path in families.glob("*/family.toml"))
    if name not in known:
        message = f"family of {what} is {name!r}: expected {' or '.join(known)}"
        raise MisuseError(message)
    return _family(str(name))


@cache
def by_name() -> Mapping[str, Device]:
    """Return all devices by their names.

    Raises
    ------
    MisuseError
        When a description lacks a field, or has one that is not known or wrong.
    """
    found = sorted((places.root() / "devices").glob("*/device.toml"))
    return {path.parent.name: _from_folder(path.parent) for path in found}


@cache
def _by_chip() -> dict[str, Device]:
    """Return the devices by all names that `device` takes."""
    chips = {chip: found for found in by_name().values() for chip in found.chips}
    return {**chips, **by_name()}


def device(name: str) -> Device:
    """Return a device by its name, or by that of a chip or board with its processor.

    Parameters
    ----------
    name
        Such as ``"atmega328p"``, ``"nrf52840"``, ``"uno"`` or, with the letters of
        an order code, ``"stm32f103c8t6"``. Capital letters do not matter.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none; the text has the processor of the chip and what to give for
        it, or, of a name that is no chip's, the nearest names.
    """
    if found := _found(name):
        return found
    if board := board_of(name):
        return _of_board(board, name)
    core = core_of(name)
    answer = core.answer if core else _likely(name)
    raise UnknownNameError(_KIND, name, [], answer=answer)


_KIND = "device or chip"


def _likely(name: str) -> str:
    # With other digits it is another chip, which may have another processor.
    alike = [each for each in names() if _digits(each) == _digits(name.lower())]
    if found := near(name, alike):
        return f"did you mean {found}?"
    return "samara bench devices lists all"


def _found(name: str) -> Device | None:
    """Return the device of a device's, chip's or order code's name."""
    known, lower = _by_chip(), name.lower()
    if lower in known:
        return known[lower]
    for end in range(len(lower) - 1, 0, -1):
        # "stm32f103" is not the beginning of another chip's "stm32f1030", nor
        # "cortex-m0" that of a "cortex-m0+".
        letters_follow = lower[end].isalpha() or lower[end] in "-_ "
        if lower[:end] in known and letters_follow:
            return known[lower[:end]]
    return None


def _of_board(board: Board, name: str) -> Device:
    """Return the device that has a board's chip, or stands in for it."""
    if found := _found(board.chip):
        return found
    core = core_of(board.chip)
    what = f"it is {board.title}, whose {board.chip}"
    answer = core.answer_of(what) if core else f"{what} samara does not know"
    raise UnknownNameError(_KIND, name, [], answer=answer)


def _digits(name: str) -> list[str]:
    return sorted(letter for letter in name if letter.isdigit())


def stands_for(name: str, found: Device) -> str:
    """Return what a user who named a chip should know of its device's figures.

    The text is empty if the name is that of the device.
    """
    if name.lower() == found.name:
        return ""
    if _found(name) is None and (board := board_of(name)):
        return _stands_for_board(name, board, found)
    # Some titles name the chip that the figures are of.
    if name.lower() in found.title.lower():
        return f"{name} is measured as {found.name}: {found.title}"
    return (
        f"{name} is measured as {found.name}: same processor; clock "
        f"({found.clock_hz / 1e6:g} MHz), memory and current are those of "
        f'"{found.title}"'
    )


def _stands_for_board(name: str, board: Board, found: Device) -> str:
    sentence = f"{name} is {board.title}"
    if board.differs:
        return f"{sentence}: {found.name} stands in for it: {board.differs}"
    if board.chip == found.name:
        return f"{sentence}, measured as {found.name}: {found.title}"
    return f"{sentence}: {stands_for(board.chip, found)}"


def names() -> list[str]:
    """Return all names that `device` takes: of devices, chips and boards.

    Order codes, and boards that no device stands for, are not among them.
    """
    found = devices()
    of_chips = [name for each in found for name in (each.name, *each.chips)]
    return [*of_chips, *(name for each in found for name in boards_of(each))]


def boards_of(of: Device) -> tuple[str, ...]:
    """Return the names of the boards that a device stands for."""
    return tuple(name for name, found in _boards().items() if found is of)


@cache
def _boards() -> Mapping[str, Device]:
    """Return devices by the names of their boards."""
    rows = ((name, board_of(name)) for name in boards.names())
    found = {name: _found(row.chip) for name, row in rows if row}
    return {name: device for name, device in found.items() if device}


def cycles_note(name: str) -> str:
    """Return what the cycles of a device leave out; "" if nothing, or if unknown."""
    known = by_name().get(name)
    return known.family.cycles_note if known else ""


def devices() -> list[Device]:
    """Return all devices, by name."""
    return list(by_name().values())
