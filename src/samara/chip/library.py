# SPDX-License-Identifier: Apache-2.0
"""Libraries of standard cells, from Liberty files.

Of a Liberty file is read what the figures need: names and areas of its cells, which
of them hold a state, and the corner. The rest is for yosys and OpenSTA.
"""

from __future__ import annotations

import fnmatch
import gzip
import hashlib
import math
import re
import tomllib
import zlib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from samara.errors import MisuseError
from samara.programs import CELL_LIBRARY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

DEFAULT = CELL_LIBRARY.path
"""The library that Debian has."""

MAX_BYTES = 256 << 20
"""A larger file is refused: Liberty files of complete processes have some 50 MB."""


class LibraryError(MisuseError):
    """A file is not a library that the flow can use; the text says why."""


class Kind(StrEnum):
    """Kind of a cell: logic, flip-flop, latch or clock gate."""

    LOGIC = "logic"
    FLIP_FLOP = "flip-flop"
    LATCH = "latch"
    CLOCK_GATE = "clock gate"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a library."""

    name: str
    area: float
    kind: Kind


class Pin(NamedTuple):
    """Load of a pin, and the load that it may drive, in the library's unit."""

    capacitance: float
    """0 for an output."""
    max_capacitance: float
    """Load that it may drive at most; infinite where the library names no limit."""


class Buffer(NamedTuple):
    """A cell whose output is its one input."""

    cell: str
    input: str
    output: str
    capacitance: float
    """Of its input."""
    max_capacitance: float
    """What it may drive."""


@dataclass(frozen=True, slots=True)
class AvoidedCells:
    """A pattern of cells that are not used."""

    cells: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What data/libraries.toml has about a library."""

    match: str = "*"
    process: str = ""
    driver: str = ""
    clock_gate: str = ""
    clock_buffers: str = ""
    avoid: tuple[AvoidedCells, ...] = ()
    avoid_fast: tuple[AvoidedCells, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """A library of standard cells at one corner."""

    path: Path
    name: str
    sha256: str
    """Of the Liberty file, uncompressed."""
    corner: str
    """Process, voltage and temperature, as the file has them."""
    cells: Mapping[str, Cell] = field(hash=False, repr=False)
    rules: Rules = field(hash=False, repr=False)

    @property
    def process(self) -> str:
        """Name of the process for tables; the library's own if it is not known."""
        return self.rules.process or self.name

    @property
    def nand2(self) -> Cell:
        """The smallest cell with nand2 in its name: one gate equivalent."""
        named = [c for c in self.cells.values() if "nand2" in c.name.lower()]
        return min(named, key=lambda cell: (cell.area, cell.name))

    def gate_equivalents(self, area: float) -> float:
        """Return an area as a number of two-input NAND gates."""
        return area / self.nand2.area

    @property
    def flip_flop(self) -> Cell:
        """The smallest flip-flop."""
        flops = [c for c in self.cells.values() if c.kind is Kind.FLIP_FLOP]
        return min(flops, key=lambda cell: (cell.area, cell.name))

    @property
    def has_clock_gate(self) -> bool:
        """Whether it has a cell that gates clocks."""
        return any(cell.kind is Kind.CLOCK_GATE for cell in self.cells.values())

    @property
    def driver(self) -> str:
        """The cell that drives the inputs: a small inverter."""
        named = [c for c in self.cells.values() if "inv" in c.name.lower()]
        smallest = min(named, key=lambda cell: (cell.area, cell.name), default=None)
        return self.rules.driver or (smallest.name if smallest else "")

    def clock_gate_pins(self, name: str) -> dict[str, str]:
        """Return the pins of a clock gate by what they are: clock, enable, out, test.

        Raises
        ------
        LibraryError
            If the Liberty file does not name all but test.
        """
        pins: dict[str, str] = {}
        for pin, text in _pins_of(self.path).get(name, ()):
            role = re.search(r"\bclock_gate_(\w+)_pin\s*:\s*\"?true", text)
            if role:
                pins[role[1]] = pin
        if not {"clock", "enable", "out"} <= set(pins):
            message = f"{self.path} does not name the pins of its clock gate {name}"
            raise LibraryError(message)
        return pins

    def pins(self, name: str) -> dict[str, Pin]:
        """Return the pins of a cell by their names, with what they load and drive."""
        default = _default_max_capacitance(self.path)
        found: dict[str, Pin] = {}
        for pin, text in _pins_of(self.path).get(name, ()):
            load, limit = _LOAD.search(text), _MAX_LOAD.search(text)
            is_output = _OUTPUT.search(text) is not None
            # A second group of the same name describes the cell under test.
            found.setdefault(
                pin,
                Pin(
                    float(load[1]) if load and not is_output else 0.0,
                    float(limit[1]) if limit else default if is_output else math.inf,
                ),
            )
        return found

    def uses(self, name: str) -> bool:
        """Return whether a netlist may have a cell, by the rules of the library."""
        return not any(fnmatch.fnmatch(name, each.cells) for each in self.rules.avoid)

    def clock_buffers(self) -> tuple[Buffer, ...]:
        """Return the buffers that may stand behind a clock gate."""
        wanted = self.rules.clock_buffers
        return tuple(
            each
            for each in _buffers(self)
            if (fnmatch.fnmatch(each.cell, wanted) if wanted else self.uses(each.cell))
        )

    def text(self) -> str:
        """Return the Liberty file."""
        return _read(self.path).decode("utf-8", errors="replace")


def load(path: Path | None = None) -> Library:
    """Return the library of a Liberty file, which may be compressed by gzip.

    Parameters
    ----------
    path
        The file; None for `DEFAULT`.

    Raises
    ------
    LibraryError
        If it is not a Liberty file, or lacks a cell that the flow needs.
    OSError
        If it cannot be read.
    """
    if path is None:
        if not DEFAULT.is_file():
            message = (
                f"{DEFAULT} does not exist: install the package {CELL_LIBRARY.package},"
                " or give another library with --liberty"
            )
            raise LibraryError(message)
        path = DEFAULT
    return _loaded(path.resolve())


@cache
def _loaded(path: Path) -> Library:
    data = _read(path)
    text = _without_comments(data.decode("utf-8", errors="replace"))
    head = re.search(r'\blibrary\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{', text)
    cells = {cell.name: cell for cell in _cells(text)}
    if head is None or not cells:
        message = f"{path} is not a Liberty file: it has no library with cells"
        raise LibraryError(message)
    _check(path, cells)
    return Library(
        path=path,
        name=head[1],
        sha256=hashlib.sha256(data).hexdigest(),
        corner=_corner(text),
        cells=cells,
        rules=_rules(head[1]),
    )


def _check(path: Path, cells: Mapping[str, Cell]) -> None:
    """Raise LibraryError if a library lacks what a figure needs."""
    if not any("nand2" in name.lower() and c.area > 0 for name, c in cells.items()):
        message = (
            f"{path} has no cell with nand2 in its name and an area: gate equivalents"
            " are counted in it"
        )
        raise LibraryError(message)
    if not any(cell.kind is Kind.FLIP_FLOP for cell in cells.values()):
        message = f"{path} has no flip-flop (a cell with a group ff)"
        raise LibraryError(message)


def _read(path: Path) -> bytes:
    """Return a file, uncompressed."""
    if path.stat().st_size > MAX_BYTES:
        message = f"{path} is too large for a Liberty file: at most {MAX_BYTES} bytes"
        raise LibraryError(message)
    data = path.read_bytes()
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.open(path) as file:
            data = file.read(MAX_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        message = f"{path} is a damaged gzip file: {error}"
        raise LibraryError(message) from None
    if len(data) > MAX_BYTES:
        message = f"{path} is too large for a Liberty file: at most {MAX_BYTES} bytes"
        raise LibraryError(message)
    return data


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


_CELL = re.compile(r'^\s*cell\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{', re.MULTILINE)
_AREA = re.compile(r"\barea\s*:\s*\"?([0-9.eE+-]+)")
_LOAD = re.compile(r"\bcapacitance\s*:\s*\"?([0-9.eE+-]+)")
_MAX_LOAD = re.compile(r"\bmax_capacitance\s*:\s*\"?([0-9.eE+-]+)")
_DEFAULT_MAX_LOAD = re.compile(r"\bdefault_max_capacitance\s*:\s*\"?([0-9.eE+-]+)")
_FUNCTION = re.compile(r"\bfunction\s*:\s*\"([^\"]*)\"")
_PINS_OF_A_BUFFER = 2
_OUTPUT = re.compile(r"\bdirection\s*:\s*\"?output")
_STATES = (
    (Kind.CLOCK_GATE, re.compile(r"\bclock_gating_integrated_cell\s*:")),
    (Kind.FLIP_FLOP, re.compile(r"^\s*ff\s*\(", re.MULTILINE)),
    (Kind.LATCH, re.compile(r"^\s*(?:latch|statetable)\s*\(", re.MULTILINE)),
)


def _cells(text: str) -> Iterator[Cell]:
    """Yield the cells of a Liberty file without comments."""
    heads = list(_CELL.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        area = _AREA.search(text, head.end(), end)
        states = (kind for kind, has in _STATES if has.search(text, head.end(), end))
        yield Cell(head[1], float(area[1]) if area else 0, next(states, Kind.LOGIC))


@cache
def _pins_of(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the pins of each cell of a Liberty file: names, and the text of each."""
    text = _without_comments(_read(path).decode("utf-8", errors="replace"))
    heads = list(_CELL.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found = {}
    for head, end in zip(heads, ends, strict=False):
        parts = re.split(r"\bpin\s*\(", text[head.end() : end])[1:]
        found[head[1]] = [(part.partition(")")[0].strip(' "'), part) for part in parts]
    return found


@cache
def _buffers(library: Library) -> tuple[Buffer, ...]:
    """Return all cells of a library whose output is their one input."""
    found = []
    for cell in library.cells.values():
        pins = library.pins(cell.name)
        if cell.kind is not Kind.LOGIC or len(pins) != _PINS_OF_A_BUFFER:
            continue
        source, out = sorted(pins, key=lambda name: -pins[name].capacitance)
        text = dict(_pins_of(library.path)[cell.name])[out]
        function = _FUNCTION.search(text)
        if function and function[1].strip("() ") == source:
            load, limit = pins[source].capacitance, pins[out].max_capacitance
            found.append(Buffer(cell.name, source, out, load, limit))
    return tuple(found)


@cache
def _default_max_capacitance(path: Path) -> float:
    text = _read(path).decode("utf-8", errors="replace")
    found = _DEFAULT_MAX_LOAD.search(_without_comments(text))
    return float(found[1]) if found else math.inf


def _corner(text: str) -> str:
    """Return the operating conditions that a Liberty file uses."""
    named = re.search(r'\bdefault_operating_conditions\s*:\s*"?([^";\s]+)', text)
    name = named[1] if named else "not named"
    values = {
        what: re.search(rf'\b(?:nom_)?{what}\s*:\s*"?([0-9.eE+-]+)', text)
        for what in ("voltage", "temperature")
    }
    voltage, temperature = (
        f"{float(found[1]):g}" if found else "?" for found in values.values()
    )
    return f"{name} ({voltage} V, {temperature} °C)"


@cache
def _all_rules() -> tuple[Rules, ...]:
    file = resources.files("samara.chip") / "data" / "libraries.toml"
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(Rules(**_with_avoided(row)) for row in rows.values())


def _with_avoided(row: dict[str, Any]) -> dict[str, Any]:
    lists = {
        name: tuple(AvoidedCells(**each) for each in row.get(name, ()))
        for name in ("avoid", "avoid_fast")
    }
    return row | lists


def _rules(name: str) -> Rules:
    """Return the rules for a library of this name; the defaults if there are none."""
    return next((r for r in _all_rules() if fnmatch.fnmatch(name, r.match)), Rules())
