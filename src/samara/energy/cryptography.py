# SPDX-License-Identifier: Apache-2.0
"""Cycles, time and energy of sealing and opening on a device, from bench results.

The bench has measured some sizes of message and associated data. For other sizes the
cycles are computed (`samara.energy.grid`), and their origin is *estimated*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import devices, store, subjects
from samara.bench.results import Operation
from samara.bench.sizes import periods_of
from samara.energy.grid import Grid
from samara.errors import MisuseError
from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from samara.bench.results import Result


_TAG_SIZES = ("4", "8", "16")
_NOT_NEEDED = ("instructions", "time_us", "energy_uj", "varies")
"""Fields of results that follow from the cycles, or that no cost depends on."""


class Build(NamedTuple):
    """One way to compile a suite: its cycles, flash and RAM belong together."""

    implementation: str
    opt: str
    """Optimisation: `Os`, `O2` or `O3`."""


@dataclass(frozen=True, slots=True)
class Work:
    """An operation on a device after the key is set up."""

    device: str
    suite: str
    operation: Operation
    message_bytes: int
    ad_bytes: int = 0
    """Bytes of associated data."""
    build: Build | None = None
    """Default: the one that takes the fewest cycles for this work."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Flash and RAM that a build needs, in bytes."""

    flash: Figure
    """Code and constants that the linker keeps for the suite."""
    ram: Figure
    """Variables, and the most that any operation puts on the stack."""
    flags: str
    """Arguments of the compiler; empty when they are not known."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an operation."""

    cycles: Figure
    time: Figure
    energy: Figure


class NotMeasuredError(MisuseError):
    """The bench has no results for it; the text has the command that measures it."""


def cost_of(work: Work) -> Cost:
    """Return the cost of an operation, of one build.

    Raises
    ------
    NotMeasuredError
        If the bench has no results of the suite on the device.
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    device = devices.device(work.device)
    # A chip's name stands for the device that was measured in its place.
    cycles = _cycles(replace(work, device=device.name))
    joules = device.energy_uj(1) * 1e-6 * cycles.value
    return Cost(
        cycles,
        Figure(
            cycles.value / device.clock_hz,
            "s",
            cycles.origin,
            f"cycles at {device.clock_hz / 1e6:g} MHz",
        ),
        Figure(
            joules,
            "J",
            weakest(cycles.origin, device.energy_origin),
            f"cycles at {device.clock_hz / 1e6:g} MHz x {device.energy_source}",
        ),
    )


class _Same:
    """Results as a key: those of the very same list, which is not looked through."""

    def __init__(self, rows: list[Result]) -> None:
        self.rows = rows

    def __hash__(self) -> int:
        return id(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rows is other.rows


def _cycles(work: Work) -> Figure:
    slug = _measured_like(work.device, work.suite)
    return _estimated(work, slug, _Same(results(work.device, slug)))


# Draws of a node ask for the same work as its values as stated.
@lru_cache(maxsize=4096)
def _estimated(work: Work, slug: str, found: _Same) -> Figure:
    """Return the cycles of some work from results of the suite `slug`."""
    estimates = []
    for build, grid, origin in _grids(found, work.suite, slug, work.operation):
        if work.build not in (None, build):
            continue
        if grid.spans(work.message_bytes, work.ad_bytes):
            value = grid.at(work.message_bytes, work.ad_bytes)
            estimates.append((value, build, grid, origin))
    if not estimates:
        raise NotMeasuredError(_how_to_measure(work))
    value, build, grid, origin = min(estimates, key=lambda estimate: estimate[0])
    how = grid.how(work.message_bytes, work.ad_bytes)
    other = "" if slug == work.suite else f"; measured with {slug}"
    return Figure(
        round(value),
        "cycle",
        weakest(origin, Origin.ESTIMATED if how or other else Origin.MEASURED),
        f"the bench on {work.device}: {build[0]}, -{build[1]}{how}{other}",
    )


# An answer of `samara advise` asks thousands of times for the same hundreds.
@lru_cache(maxsize=1024)
def _grids(
    found: _Same, suite: str, slug: str, operation: Operation
) -> list[tuple[Build, Grid, Origin]]:
    """Return the cycles of each build by sizes, and their origin.

    Parameters
    ----------
    found
        Results of the suite `slug`, which stands for `suite`.
    """
    # The set-up of a stream cipher takes the nonce: it is done for every message.
    anew = subjects.subject(suite).set_up_takes_nonce
    measured = subjects.subject(slug)
    form, periods = measured.frame, periods_of(measured)
    joined = form is not None and form.only_authenticates
    rows: dict[Build, list[Result]] = {}
    for each in found.rows:
        rows.setdefault(Build(each.implementation, each.opt), []).append(each)
    return [
        (
            build,
            Grid(_by_sizes(own, operation, anew=anew), joined=joined, periods=periods),
            own[0].origin,
        )
        for build, own in rows.items()
    ]


def _by_sizes(
    rows: list[Result], operation: Operation, *, anew: bool
) -> dict[tuple[int, int], int]:
    return {row.sizes: _cycles_of(row, operation, anew=anew) for row in rows}


def _builds_of(found: list[Result]) -> list[Build]:
    return list(dict.fromkeys(Build(each.implementation, each.opt) for each in found))


def builds(device: str, suite: str) -> list[Build]:
    """Return the builds of a suite that the bench has measured on a device.

    A suite that differs only in the tag's length stands in, as it does in `cost_of`.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    name = devices.device(device).name
    return _builds_of(results(name, _measured_like(name, suite)))


def memory_of(device: str, suite: str, build: Build) -> Memory:
    """Return the memory of one of `builds`: the most that any message size takes.

    Raises
    ------
    NotMeasuredError
        If the bench has no such build.
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    name = devices.device(device).name
    slug = _measured_like(name, suite)
    rows = [r for r in results(name, slug) if (r.implementation, r.opt) == build]
    if not rows:
        raise NotMeasuredError(_how_to_measure(Work(name, suite, Operation.SEAL, 0)))
    other = "" if slug == suite else f"; measured with {slug}"
    source = f"the bench on {name}: {build.implementation}, -{build.opt}{other}"
    origin = Origin.ESTIMATED if other else Origin.MEASURED
    flash = max(row.code_bytes or 0 for row in rows)
    ram = max((row.static_ram_bytes or 0) + (row.stack_bytes or 0) for row in rows)
    return Memory(
        Figure(flash, "byte", origin, source),
        Figure(ram, "byte", origin, source),
        rows[0].flags or "",
    )


def _cycles_of(result: Result, operation: Operation, *, anew: bool) -> int:
    """Return the cycles of an operation, with the set-up if every message needs one."""
    return result.cycles_of(operation) + (result.set_up_cycles if anew else 0)


def _measured_like(device: str, suite: str) -> str:
    """Return the suite, or one that differs from it only in the tag's length."""
    stem, _, tag_size = suite.rpartition("-")
    # A suite without a tag does half of the work: it cannot stand for others.
    if results(device, suite) or tag_size not in _TAG_SIZES:
        return suite
    others = (f"{stem}-{size}" for size in reversed(_TAG_SIZES))
    return next((other for other in others if results(device, other)), suite)


@cache
def results(device: str, suite: str) -> list[Result]:
    """Return the results with figures of a suite on a device."""
    places = (store.committed_of(device), store.own())
    return [
        result
        for result in store.read(*places, suites=[suite], without=_NOT_NEEDED)
        if result.device == device and result.suite == suite and result.has_figures
    ]


def _how_to_measure(work: Work) -> str:
    return (
        f"{work.suite} has not been measured on {work.device} yet: run"
        f" `samara bench run --device {work.device} --suite {work.suite}`"
    )
