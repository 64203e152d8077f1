# SPDX-License-Identifier: Apache-2.0
"""Results about cores: rows, and files of them.

A file has the rows of one library, as JSON Lines: `Synthesis` and `Power`, told
apart by the key ``kind``. Those of a part with programmable logic, `Placement`, are in
a directory of their own. A row replaces an earlier one about the same. Each has the
hash of the core's sources, so that a row about other sources is known as stale.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from samara import atomic_files
from samara.bench import places
from samara.chip.design import CORE, TOP, Core, core, module_of, sources_hash
from samara.errors import DamagedWarning
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """What each row says about its origin."""

    core: str
    """Name of the core."""
    goal: str
    """Goal of the synthesis: area or speed."""
    library: str
    """Name in the Liberty file."""
    library_sha256: str
    process: str
    corner: str
    sources: str
    """Hash of the core's sources."""
    tools: Mapping[str, str] = field(hash=False)
    """Versions of the programs."""
    origin: Origin = Origin.ESTIMATED

    @property
    def design(self) -> Core:
        """The core, by its name."""
        return core(self.core)

    @property
    def module(self) -> str:
        """The module whose sources it is about."""
        return TOP

    @property
    def is_stale(self) -> bool:
        """Whether these sources have changed since; of many rows, `stale` tells it."""
        return self.sources != sources_hash(self.module)

    def figure(self, value: float, unit: str) -> Figure:
        """Return a figure of this row."""
        return Figure(value, unit, self.origin, self.source)

    @property
    def source(self) -> str:
        """Where its figures come from, in a few words."""
        programs = ", ".join(f"{name} {number}" for name, number in self.tools.items())
        return f"{self.process}, {self.corner}, gates without layout; {programs}"

    def as_json(self) -> dict[str, Any]:
        """Return the fields of a line."""
        return {"kind": KIND_OF[type(self)], **dataclasses.asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis(_Row):
    """Area and speed of a netlist. Areas are in gate equivalents."""

    nand2: str
    """The cell that is one gate equivalent."""
    nand2_area: float
    """Its area in the unit of the library."""
    flip_flop_ge: float
    """Area of the smallest flip-flop."""
    area_ge: float
    flip_flops: int
    flip_flops_ge: float
    latches: int
    clock_gates: int
    clock_gates_ge: float
    inside_ns: float
    """The longest path from a flip-flop to a flip-flop."""
    with_ports_ns: float
    """The longest of all paths, those from and to ports among them."""
    top: str = CORE
    """Top module: "core", or the wrapper around it, "axi" or "spi"."""
    beyond_limits: int | None = None
    """Pins that change more slowly, or drive more, than the library allows; None in
    rows from before this was kept."""

    KIND: ClassVar[str] = "synthesis"

    @property
    def identity(self) -> tuple[str, ...]:
        """What the row is about."""
        wrapper = () if self.top == CORE else (self.top,)
        return (self.KIND, self.library, self.core, self.goal, *wrapper)

    @property
    def module(self) -> str:
        """The module whose sources it is about."""
        return module_of(self.top)

    @property
    def frequency_hz(self) -> float:
        """The fastest clock, by the paths inside."""
        return 1e9 / self.inside_ns

    @property
    def throughput_bit_s(self) -> float:
        """Bits of message (PLE: of keystream) a second at that clock."""
        return self.frequency_hz * self.design.bits_a_clock

    @property
    def flip_flops_share(self) -> float:
        """Part of the area that flip-flops take."""
        return self.flip_flops_ge / self.area_ge


@dataclass(frozen=True, slots=True, kw_only=True)
class Power(_Row):
    """Power of a netlist while it works, from simulated messages.

    Energies are those of a clock, without leakage, which is a power of its own: so
    both hold for any clock that the netlist reaches.
    """

    messages: int
    """Number of simulated messages, whose answers were checked."""
    message_bytes: int
    """Of each simulated message."""
    start_clocks: int
    """Clocks from `start` until data is taken, in one message."""
    run_clocks: int
    """Clocks of data and tag in the simulated messages."""
    leakage_w: float
    start_j: float
    """Energy of a clock before data: key, nonce, mixing."""
    run_j: float
    """Energy of a clock with data, or with the tag."""
    start_parts_j: Mapping[str, float] = field(hash=False)
    """`start_j` by parts of the core and kinds of power; they add up."""
    run_parts_j: Mapping[str, float] = field(hash=False)
    leakage_parts_w: Mapping[str, float] = field(hash=False)

    KIND: ClassVar[str] = "power"

    @property
    def identity(self) -> tuple[str, ...]:
        """What the row is about."""
        return (self.KIND, self.library, self.core, self.goal)

    def power_w(self, hertz: float, clock_j: float, *, leakage: bool = True) -> float:
        """Return the power at a clock, of an energy of each clock."""
        return clock_j * hertz + (self.leakage_w if leakage else 0)

    def part_w(self, hertz: float, part: str) -> float:
        """Return the power of a part while the core runs, leakage included."""
        dynamic = sum(
            joules
            for name, joules in self.run_parts_j.items()
            if name.partition("/")[0] == part
        )
        return dynamic * hertz + self.leakage_parts_w.get(part, 0)

    def clocks_of(self, message_bytes: int) -> float:
        """Return the clocks of data for a message without associated data.

        Clocks for its end (length of the associated data, padding, tag) are few and
        left out.
        """
        return 8 * message_bytes / self.design.bits_a_clock

    def energy_j(self, hertz: float, message_bytes: int) -> float:
        """Return the energy of a message, its start included."""
        run = self.clocks_of(message_bytes)
        seconds = (self.start_clocks + run) / hertz
        dynamic = self.start_clocks * self.start_j + run * self.run_j
        return dynamic + self.leakage_w * seconds

    def energy_of_bit_j(self, hertz: float) -> float:
        """Return the energy of a bit of a long message."""
        return self.power_w(hertz, self.run_j) / hertz / self.design.bits_a_clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(_Row):
    """Area and speed in a part with programmable logic, placed and routed.

    Here `library` is the name of the part, and `library_sha256` is empty.
    """

    top: str
    """Top module: "core" or "spi"."""
    cells: int
    """Logic cells (iCE40: a look-up table, a flip-flop or both) or look-up tables
    (ECP5)."""
    luts: int
    """Look-up tables of four inputs."""
    flip_flops: int
    clocks_hz: Mapping[str, float] = field(hash=False)
    """The fastest clock by seed."""
    path_from: str
    """Where the longest path begins, with the best seed."""
    path_to: str
    path_logic_ns: float
    """Its part in cells; the rest is wires."""
    path_cells: int
    """Look-up tables and wide multiplexers on it."""

    KIND: ClassVar[str] = "placement"

    @property
    def identity(self) -> tuple[str, ...]:
        """What the row is about."""
        return (self.KIND, self.library, self.top, self.core, self.goal)

    @property
    def module(self) -> str:
        """The module whose sources it is about."""
        return module_of(self.top)

    @property
    def source(self) -> str:
        """Where its figures come from, in a few words."""
        programs = ", ".join(f"{name} {number}" for name, number in self.tools.items())
        return f"{self.process}, {self.corner}, placed and routed; {programs}"

    @property
    def best_seed(self) -> str:
        """The seed with the fastest clock."""
        return max(self.clocks_hz, key=lambda seed: self.clocks_hz[seed])

    @property
    def best_hz(self) -> float:
        """The fastest clock of all seeds."""
        return self.clocks_hz[self.best_seed]

    @property
    def median_hz(self) -> float:
        """The median of the seeds."""
        return statistics.median(self.clocks_hz.values())

    @property
    def throughput_bit_s(self) -> float:
        """Bits of message a second at the fastest clock."""
        return self.best_hz * self.design.bits_a_clock


Row: TypeAlias = Synthesis | Power | Placement

_BY_KIND: dict[str, type[Row]] = {
    Synthesis.KIND: Synthesis,
    Power.KIND: Power,
    Placement.KIND: Placement,
}
KIND_OF: dict[type, str] = {row: kind for kind, row in _BY_KIND.items()}


def from_json(fields: Mapping[str, Any]) -> Row:
    """Return the row of a line.

    Raises
    ------
    ValueError
        If a field is missing, or unknown.
    """
    given = dict(fields)
    try:
        kind = _BY_KIND[given.pop("kind")]
        return kind(**given | {"origin": Origin(given["origin"])})
    except (KeyError, TypeError) as error:
        message = f"a result of a chip has wrong or missing fields: {error}"
        raise ValueError(message) from None


def fastest_clock_hz(rows: Iterable[Row], power: Power) -> float | None:
    """Return the fastest clock of the netlist that a row of power is about.

    It is None if there is no row of that netlist's synthesis, of the same sources.
    """
    found = netlist_of(rows, power)
    return None if found is None else found.frequency_hz


def netlist_of(rows: Iterable[Row], power: Power) -> Synthesis | None:
    """Return the netlist that a row of power is about, of the same sources."""
    about = (*power.identity[1:], power.sources)
    found = (
        row
        for row in rows
        if isinstance(row, Synthesis) and (*row.identity[1:], row.sources) == about
    )
    return next(found, None)


def netlist(
    rows: Iterable[Row], library: str, name: str, top: str = CORE
) -> Synthesis | None:
    """Return the netlist for area of a core, alone or in a wrapper, if there is one."""
    wanted = Synthesis.KIND, library, name, "area", *(() if top == CORE else (top,))
    return next(
        (r for r in rows if isinstance(r, Synthesis) and r.identity == wanted), None
    )


def wrapper_ge(rows: Iterable[Row], library: str, n: int, top: str) -> Figure | None:
    """Return the area that a wrapper adds to a core of N, by netlists of plain cores.

    It is None if a library has no netlist of one of the two. Other variants of the core
    have the same wrapper.
    """
    rows, name = list(rows), Core(n).name
    alone, wrapped = netlist(rows, library, name), netlist(rows, library, name, top)
    if alone is None or wrapped is None:
        return None
    source = (
        f"{name} in {top} without {name} alone, netlists for area; {wrapped.source}"
    )
    return Figure(wrapped.area_ge - alone.area_ge, "GE", wrapped.origin, source)


def committed() -> Path:
    """Return the directory with the results that come with the sources."""
    return places.root() / "results" / "chip"


def own() -> Path:
    """Return the directory that results are added to by default."""
    return places.build() / "chip" / "results"


def store(folder: Path, rows: Iterable[Row]) -> None:
    """Add rows to the files of a directory, in place of those about the same."""
    by_library: dict[str, list[Row]] = {}
    for row in rows:
        by_library.setdefault(row.library, []).append(row)
    for name, news in by_library.items():
        path = folder / f"{name}.jsonl"
        kept = {row.identity: row for row in [*_rows_in(path), *news]}
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_files.made_by(path) as temporary:
            lines = (json.dumps(kept[key].as_json()) + "\n" for key in sorted(kept))
            temporary.write_text("".join(lines), encoding="utf-8")


def read(*folders: Path) -> list[Row]:
    """Return the rows of directories; of those about the same the last.

    A line that cannot be read is left out, with a warning.
    """
    found: dict[tuple[str, ...], Row] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")):
            found |= {row.identity: row for row in _rows_in(path)}
    return list(found.values())


def stale(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are of other sources than those in rtl/."""
    now = {module: sources_hash(module) for module in {row.module for row in rows}}
    return [row for row in rows if row.sources != now[row.module]]


def stale_in_words(rows: Sequence[Row]) -> str:
    """Return that rows are of other sources than those in rtl/; "" if none is."""
    count = len(stale(rows))
    if not count:
        return ""
    return (
        f"{count} of {len(rows)} results are of other sources than those in rtl/:"
        " run samara chip synth and samara chip power again"
    )


def _rows_in(path: Path) -> Iterable[Row]:
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield from_json(json.loads(line))
        except ValueError:
            warnings.warn(
                f"{path} is damaged at line {number}, which is left out",
                DamagedWarning,
                stacklevel=2,
            )
