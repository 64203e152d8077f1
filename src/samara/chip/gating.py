# SPDX-License-Identifier: Apache-2.0
"""Clock gates that drive no more than their library allows.

yosys takes one clock gate for an enable, however many flip-flops it drives, and always
the smallest. A clock that is driven beyond the library's limit changes slowly, and its
power is read beyond the library's tables. So each clock gate is replaced here by a
stronger one with the same pins, by several that share the flip-flops, or gets buffers
behind it: whatever takes the least area. A buffer delays the clock, which the ideal
clock of the timing leaves out, as it leaves out the delay of the clock gate.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from samara.chip.instances import Instance, instances_in
from samara.chip.library import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.chip.library import Buffer, Library

_NET = "gated_clock_"
"""Beginning of the names of new nets and cells."""


class Load(NamedTuple):
    """A pin that a net drives."""

    instance: str
    pin: str
    capacitance: float


class Overload(NamedTuple):
    """A pin that drives more than the library allows."""

    instance: str
    cell: str
    pin: str
    times: float
    """The load over the limit."""


class Fitted(NamedTuple):
    """A netlist whose clock gates are within the limits."""

    text: str
    changed: dict[str, int]
    """Cells that were added, or taken away (less than 0), by their names."""
    clocked: frozenset[str]
    """Pins behind clock gates, as INSTANCE/PIN."""


def overloads(cells: Iterable[Instance], library: Library) -> list[Overload]:
    """Return the pins of a netlist that drive more than the library allows.

    The load of a net is that of the pins on it: there is no layout, and so no wire.
    """
    cells = list(cells)
    loads = _loads(cells, library)
    found = []
    for each in cells:
        pins = library.pins(each.cell)
        for pin, net in each.pins.items():
            limit = pins[pin].max_capacitance
            load = sum(one.capacitance for one in loads.get(net, ()))
            if load > limit:
                found.append(Overload(each.name, each.cell, pin, load / limit))
    return found


def _loads(cells: Iterable[Instance], library: Library) -> dict[str, list[Load]]:
    """Return the pins on each net that load it."""
    found: dict[str, list[Load]] = defaultdict(list)
    for each in cells:
        pins = library.pins(each.cell)
        for pin, net in each.pins.items():
            if pins[pin].capacitance:
                found[net].append(Load(each.name, pin, pins[pin].capacitance))
    return found


def fitted(netlist: str, library: Library, share: float = 1.0) -> Fitted:
    """Return a netlist of yosys with clock gates that drive what they may.

    Parameters
    ----------
    netlist
        In Verilog.
    library
        Of its cells.
    share
        Part of the limit that may be used.

    Raises
    ------
    samara.chip.library.LibraryError
        If the library does not name the pins of a clock gate.
    """
    cells = instances_in(netlist)
    loads = _loads(cells, library)
    changed: Counter[str] = Counter()
    clocked: set[str] = set()
    for number, gate in enumerate(_gates(cells, library)):
        out = library.clock_gate_pins(gate.cell)["out"]
        driven = loads[gate.pins[out]]
        clocked |= {f"{each.instance}/{each.pin}" for each in driven}
        found = _cheapest(gate, driven, library, share)
        if found is None or found.is_the_same_as(gate):
            continue
        changed[gate.cell] -= 1
        changed[found.cell] += 1 if found.buffer else len(found.groups)
        if found.buffer:
            changed[found.buffer.cell] += len(found.groups)
        netlist = _replaced(netlist, gate, out, found, number)
    changes = {name: n for name, n in changed.items() if n}
    return Fitted(netlist, changes, frozenset(clocked))


def _gates(cells: Iterable[Instance], library: Library) -> list[Instance]:
    kinds = library.cells
    return [each for each in cells if kinds[each.cell].kind is Kind.CLOCK_GATE]


class _Choice(NamedTuple):
    """What drives the pins behind a clock gate."""

    cell: str
    """The clock gate: one in front of buffers, or one for each group."""
    groups: list[list[Load]]
    buffer: Buffer | None
    """One for each group; None without buffers."""

    def is_the_same_as(self, gate: Instance) -> bool:
        """Return whether a clock gate stays as it is."""
        return (self.cell, len(self.groups), self.buffer) == (gate.cell, 1, None)

    def cost(self, library: Library) -> tuple[float, int]:
        """Return the area, and the number of groups."""
        gates = 1 if self.buffer else len(self.groups)
        area = gates * library.cells[self.cell].area
        if self.buffer:
            area += len(self.groups) * library.cells[self.buffer.cell].area
        return area, len(self.groups)


def _cheapest(
    gate: Instance, loads: Sequence[Load], library: Library, share: float
) -> _Choice | None:
    """Return what drives loads within the limits; None if nothing does."""
    found = list(_choices(gate, loads, library, share))
    return min(found, key=lambda each: each.cost(library), default=None)


def _choices(
    gate: Instance, loads: Sequence[Load], library: Library, share: float
) -> Iterator[_Choice]:
    for cell, limit in _alike(gate.cell, library):
        if groups := _groups(loads, share * limit):
            yield _Choice(cell, groups, None)
        for buffer in library.clock_buffers():
            groups = _groups(loads, share * buffer.max_capacitance)
            if groups and len(groups) * buffer.capacitance <= share * limit:
                yield _Choice(cell, groups, buffer)


def _alike(name: str, library: Library) -> Iterator[tuple[str, float]]:
    """Yield the clock gates with the pins of one, each with what it may drive."""
    roles, pins = library.clock_gate_pins(name), set(library.pins(name))
    for cell in library.cells.values():
        if cell.kind is Kind.CLOCK_GATE and library.uses(cell.name):
            own = library.pins(cell.name)
            if set(own) == pins and library.clock_gate_pins(cell.name) == roles:
                yield cell.name, own[roles["out"]].max_capacitance


def is_ours(name: str) -> bool:
    """Return whether an instance was added behind a clock gate, or beside one."""
    return name.startswith(_NET)


def _groups(loads: Sequence[Load], limit: float) -> list[list[Load]]:
    """Return loads in groups of about the same size within a limit, as few as can be.

    There are none if a single load is beyond the limit.
    """
    if any(load.capacitance > limit for load in loads):
        return []
    total = sum(load.capacitance for load in loads)
    for count in range(1, len(loads) + 1):
        if total <= count * limit:
            groups = _dealt(loads, total / count)
            if all(sum(one.capacitance for one in each) <= limit for each in groups):
                return groups
    return [list(loads)]


def _dealt(loads: Sequence[Load], share: float) -> list[list[Load]]:
    """Return loads, in their order, in groups that end where a share is full."""
    groups: list[list[Load]] = [[]]
    before = 0.0
    for load in loads:
        # A load goes where its middle is.
        if before + load.capacitance / 2 > share * len(groups):
            groups.append([])
        groups[-1].append(load)
        before += load.capacitance
    return groups


def _replaced(
    netlist: str, gate: Instance, out: str, chosen: _Choice, number: int
) -> str:
    """Return a netlist with a choice in place of a clock gate.

    The first group keeps its net; each other has a net of its own.
    """
    nets = [
        gate.pins[out],
        *(f"{_NET}{number}_{k}" for k in range(1, 1 + len(chosen.groups))),
    ]
    for net, group in zip(nets[1:], chosen.groups[1:], strict=False):
        for load in group:
            netlist = _moved(netlist, load, net)
    begin, end = _place(netlist, gate.name)
    text = netlist[begin:end].replace(f"  {gate.cell} ", f"  {chosen.cell} ", 1)
    news = [f"  wire {net};\n" for net in nets[1 : len(chosen.groups)]]
    if chosen.buffer is None:
        news.append(text)
        news += [
            _connected(_named(text, f"{net}_gate"), out, net)
            for net in nets[1 : len(chosen.groups)]
        ]
    else:
        before = f"{_NET}{number}"
        news += [f"  wire {before};\n", _connected(text, out, before)]
        news += [
            _buffer(chosen.buffer, f"{before}_{k}_buffer", before, net)
            for k, net in enumerate(nets[: len(chosen.groups)])
        ]
    return netlist[:begin] + "".join(news) + netlist[end:]


def _buffer(buffer: Buffer, name: str, before: str, behind: str) -> str:
    pins = f"    .{buffer.input}({before}),\n    .{buffer.output}({_written(behind)})\n"
    return f"  {buffer.cell} {name} (\n{pins}  );\n"


def _written(net: str) -> str:
    """Return a net as Verilog has it: a name that is not simple is escaped."""
    return net if re.fullmatch(r"[A-Za-z_]\w*", net) else f"\\{net} "


def _named(text: str, name: str) -> str:
    """Return the text of an instance with another name."""
    return re.sub(r"^(  \S+ )(\\\S+ |\w+)", rf"\g<1>{name}", text, count=1)


def _moved(netlist: str, load: Load, net: str) -> str:
    """Return a netlist with a pin on another net."""
    begin, end = _place(netlist, load.instance)
    text = _connected(netlist[begin:end], load.pin, net)
    return netlist[:begin] + text + netlist[end:]


def _place(netlist: str, name: str) -> tuple[int, int]:
    """Return where the text of an instance begins and ends."""
    instance = rf"^  \S+ \\?{re.escape(name)} {{1,2}}\(\n.*?^  \);\n"
    found = re.search(instance, netlist, re.MULTILINE | re.DOTALL)
    if found is None:
        message = f"the netlist has no instance {name}"
        raise ValueError(message)
    return found.span()


def _connected(text: str, pin: str, net: str) -> str:
    """Return the text of an instance with a pin on a net."""
    return re.sub(rf"\.{pin}\(.*?\)(?=,?\n)", f".{pin}({net})", text, count=1)
