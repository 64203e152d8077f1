# SPDX-License-Identifier: Apache-2.0
"""How often the pins of a netlist change: counted in a VCD file as it is written.

The file is read line by line, and only the counts are kept, so that memory depends
on the number of pins and not on the length of the simulation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara.chip.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PHASE = "phase"
"""Name of the variable whose value says which counts a change belongs to."""
CLOCK_TICKS = 10_000
"""Ticks of a clock in the file: 10 ns in picoseconds."""


@dataclass(slots=True)
class Counts:
    """Changes of pins in one phase."""

    ticks: int = 0
    toggles: dict[str, int] = field(default_factory=dict)
    """Changes between 0 and 1, by identifier in the file."""

    @property
    def clocks(self) -> float:
        """Clocks that the phase took."""
        return self.ticks / CLOCK_TICKS


@dataclass(slots=True)
class Activity:
    """Changes of the pins of all instances, by phase."""

    pins: dict[tuple[str, str], str]
    """Identifiers of pins, by instance and pin."""
    phases: dict[int, Counts]

    def toggles_a_clock(self, phase: int, instance: str, pin: str) -> float:
        """Return how often a pin changes in a clock, on average."""
        found = self.phases[phase]
        return found.toggles.get(self.pins[instance, pin], 0) / found.clocks


def read(lines: Iterable[str]) -> Activity:
    """Count the changes in a VCD file.

    Parameters
    ----------
    lines
        Of the file: scopes are those of instances, and one variable is `PHASE`.
        Phase 0 is not counted.

    Raises
    ------
    samara.chip.tools.ToolError
        If the file has no phase, or a pin is undefined in a phase that is counted.
    """
    rest = iter(lines)
    pins, phase = _declared(rest)
    if phase is None:
        message = f"the simulation wrote no variable {PHASE}"
        raise ToolError(message)
    return Activity(pins, _counted(rest, set(pins.values()), phase))


def _declared(lines: Iterator[str]) -> tuple[dict[tuple[str, str], str], str | None]:
    """Read the head of a file; return pins, and the identifier of the phase."""
    scopes: list[str] = []
    pins: dict[tuple[str, str], str] = {}
    phase = None
    for line in lines:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            name, identifier = words[4].lstrip("\\"), words[3]
            if name == PHASE and len(scopes) == 1:
                phase = identifier
            # A pin has one bit; its scope is an instance within the core.
            elif words[2] == "1" and len(scopes) == _PIN_DEPTH:
                pins[scopes[-1].lstrip("\\"), name] = identifier
        elif words[:1] == ["$enddefinitions"]:
            break
    return pins, phase


_PIN_DEPTH = 3


def _counted(  # noqa: C901 - one loop over millions of lines
    lines: Iterator[str], wanted: set[str], phase: str
) -> dict[int, Counts]:
    """Count the changes of the identifiers in `wanted`."""
    toggles = dict.fromkeys(wanted, 0)
    ones: set[str] = set()
    phases: dict[int, Counts] = {}
    now, number = 0, 0
    began = _Snapshot(0, {})
    for line in lines:
        first, rest = line[0], line[1:].rstrip()
        if first == "#":
            now = int(rest)
        elif rest in wanted and first in "01xz":
            if first == "1":
                if rest not in ones:
                    ones.add(rest)
                    toggles[rest] += 1
            elif rest in ones:
                ones.discard(rest)
                toggles[rest] += 1
            if number and first in "xz":
                message = "a pin is undefined while the core works"
                raise ToolError(message)
        elif first == "b" and line.split()[1] == phase:
            ends = _Snapshot(now, toggles.copy())
            if number:
                _add(phases.setdefault(number, Counts()), began, ends)
            began, number = ends, int(line.split()[0][1:].replace("x", "0"), 2)
    return phases


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The counts at one time."""

    time: int
    toggles: dict[str, int]


def _add(counts: Counts, began: _Snapshot, ends: _Snapshot) -> None:
    """Add what happened between two times."""
    counts.ticks += ends.time - began.time
    for key, number in ends.toggles.items():
        counts.toggles[key] = counts.toggles.get(key, 0) + number - began.toggles[key]
