# SPDX-License-Identifier: Apache-2.0
"""Comparing new figures with the committed ones.

Simulated runs are exact, so every difference counts, whatever changed in the sources,
until somebody accepts it and gives the reason. Figures of another version of the
compiler cannot be compared; they are counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samara.bench import running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.measuring import Task
    from samara.bench.results import ProgramName, Result, Sizes
    from samara.bench.subjects import Subject

SIZES = ((95, 14),)
OPTS = ("Os",)
SAMPLES = 2
"""What `tasks` measures of every suite, unless it is to be everything."""

NUMBERS = ("code_bytes", "static_ram_bytes", "stack_bytes")
BY_OPERATION = ("cycles", "instructions", "time_us", "energy_uj", "varies")
"""Figures by operation. An operation that is missing in `varies` has 0."""
_OTHERS = ("problem", "constant_time", "origin")
_OF_SAMPLES = ("constant_time", "varies")


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that has changed."""

    program: ProgramName
    sizes: Sizes
    figure: str
    """Its name, such as `code_bytes` or `cycles seal`."""
    committed: Any
    found: Any

    @property
    def is_better(self) -> bool:
        """Whether it is a number that is smaller than before."""
        if self.figure == "constant_time":
            return False
        before, now = self.committed, self.found
        return _is_number(before) and _is_number(now) and now < before

    def __str__(self) -> str:
        kind = "better" if self.is_better else "worse or other"
        what = f"{' '.join(self.program)} {self.sizes.message}+{self.sizes.ad}"
        return f"{what}: {self.figure} was {self.committed}, is {self.found} ({kind})"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of comparing results."""

    differences: list[Difference]
    compared: int
    """Results that were compared."""
    unknown: int
    """Results of which none are committed."""
    other_compiler: dict[str, int]
    """Those that were committed with another compiler, by the names of both."""

    @property
    def better(self) -> int:
        """How many of the differences are improvements."""
        return sum(each.is_better for each in self.differences)


def tasks(
    devices: Sequence[Device], suites: Sequence[Subject], *, everything: bool = False
) -> list[Task]:
    """Return one size of every suite with -Os, or all that a run measures of them."""
    if everything:
        return running.plan(devices, suites)
    few = running.plan(devices, suites, SIZES, OPTS)
    return [replace(task, samples=SAMPLES) for task in few]


def compare(found: Sequence[Result], committed: Sequence[Result]) -> Comparison:
    """Compare results with the committed ones."""
    known = {result.identity: result for result in committed}
    differences: list[Difference] = []
    other_compiler: dict[str, int] = {}
    compared = unknown = 0
    for new in found:
        old = known.get(new.identity)
        if old is None:
            unknown += 1
        elif old.compiler != new.compiler:
            said = f"{new.device}: {new.compiler}, and not {old.compiler}"
            other_compiler[said] = other_compiler.get(said, 0) + 1
        else:
            compared += 1
            differences += differences_of(old, new)
    return Comparison(differences, compared, unknown, other_compiler)


def differences_of(old: Result, new: Result) -> list[Difference]:
    """Return the figures that differ between two results about the same."""
    return [
        Difference(new.program, new.sizes, figure, before, now)
        for figure, before, now in _pairs(old, new)
        if before != now
    ]


def _pairs(old: Result, new: Result) -> Iterator[tuple[str, Any, Any]]:
    # Fewer samples may not show that times vary.
    unknown = () if new.samples == old.samples else _OF_SAMPLES
    for name in (*NUMBERS, *_OTHERS):
        if name not in unknown:
            yield name, getattr(old, name), getattr(new, name)
    for name in BY_OPERATION:
        if name in unknown:
            continue
        before, now = getattr(old, name) or {}, getattr(new, name) or {}
        missing = 0 if name == "varies" else None
        for operation in dict.fromkeys([*before, *now]):
            figure = f"{name} {operation}"
            yield figure, before.get(operation, missing), now.get(operation, missing)
