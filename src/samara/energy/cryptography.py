# SPDX-License-Identifier: Apache-2.0
"""Cycles, time and energy of sealing and opening on a device, from bench results.

The bench has measured some sizes of message and associated data. For other sizes the
cycles are computed (`samara.energy.grid`), and their origin is *estimated*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.bench import devices, store, subjects
from samara.bench.results import Operation
from samara.bench.sizes import periods_of
from samara.energy.grid import Grid
from samara.errors import MisuseError
from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from samara.bench.programs import Program
    from samara.bench.results import Result, Sizes
    from samara.energy.controller_power import Board


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
    cycles = cycles_of(work)
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


def on_board(cost: Cost, board: Board) -> Cost:
    """Return the same cycles on another microcontroller, which takes as many."""
    active = board.active_a
    known = Origin.ESTIMATED if active.checked else Origin.ASSUMED
    origin = weakest(cost.cycles.origin, known)
    time_s = cost.cycles.value / board.clock_hz
    clock = f"cycles at {board.clock_hz / 1e6:g} MHz"
    drawn = f"{active.value * 1e3:g} mA x {board.supply_v:g} V ({active.source})"
    return Cost(
        replace(cost.cycles, origin=weakest(cost.cycles.origin, Origin.ESTIMATED)),
        Figure(time_s, "s", weakest(cost.cycles.origin, Origin.ESTIMATED), clock),
        Figure(time_s * float(board.active_w()), "J", origin, f"{clock} x {drawn}"),
    )


class _Same:
    """Programs as a key: those of the very same list, which is not looked through."""

    def __init__(self, found: list[Program]) -> None:
        self.programs = found

    def __hash__(self) -> int:
        return id(self.programs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.programs is other.programs


def cycles_of(work: Work) -> Figure:
    """Return the cycles of an operation, of one build.

    Raises
    ------
    NotMeasuredError, samara.crypto.UnknownNameError
        As `cost_of`.
    """
    # A chip's name stands for the device that was measured in its place.
    name = devices.device(work.device).name
    if name != work.device:
        work = replace(work, device=name)
    slug = _measured_like(work.device, work.suite)
    return _estimated(work, slug, _Same(programs(work.device, slug)))


# Draws of a node ask for the same work as its values as stated.
@lru_cache(maxsize=4096)
def _estimated(work: Work, slug: str, found: _Same) -> Figure:
    """Return the cycles of some work from results of the suite `slug`."""
    estimates = {
        build: each
        for build, each in _estimates(
            found, work.suite, slug, work.operation, work.message_bytes, work.ad_bytes
        ).items()
        if work.build in (None, build)
    }
    if not estimates:
        raise NotMeasuredError(_how_to_measure(work))
    build, (cycles, origin, derivation) = min(
        estimates.items(), key=lambda each: each[1][0]
    )
    other = "" if slug == work.suite else f"; measured with {slug}"
    return Figure(
        round(cycles),
        "cycle",
        weakest(origin, Origin.ESTIMATED if derivation or other else Origin.MEASURED),
        f"the bench on {work.device}: {build[0]}, -{build[1]}{derivation}{other}",
    )


class _Estimate(NamedTuple):
    """Cycles of one build at some sizes."""

    cycles: float
    origin: Origin
    """Of what they are computed from."""
    derivation: str
    """How they are computed; empty: they were measured."""


# All builds at once: an answer of `samara advise` asks for each of them.
@lru_cache(maxsize=1024)
def _estimates(
    found: _Same,
    suite: str,
    slug: str,
    operation: Operation,
    message_bytes: int,
    ad_bytes: int,
) -> dict[Build, _Estimate]:
    """Return the cycles of all builds whose results tell them for these sizes."""
    size = message_bytes, ad_bytes
    return {
        build: _Estimate(float(cycles), origin, each.grid.derivation(*size))
        for each in _grids(found, suite, slug, operation)
        if each.grid.spans(*size)
        for build, cycles, origin in zip(
            each.builds, np.atleast_1d(each.grid.at(*size)), each.origins, strict=True
        )
    }


class _Builds(NamedTuple):
    """Builds that were measured at the same sizes."""

    builds: list[Build]
    origins: list[Origin]
    grid: Grid
    """Its values have an element for each build."""


@lru_cache(maxsize=1024)
def _grids(found: _Same, suite: str, slug: str, operation: Operation) -> list[_Builds]:
    """Return the cycles of all builds by sizes, and their origin.

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
    cycles: dict[Build, dict[Sizes, int]] = {}
    origins: dict[Build, Origin] = {}
    for each in found.programs:
        build = build_of(each)
        cycles.setdefault(build, {}).update(_by_sizes(each, operation, anew=anew))
        origins.setdefault(build, each.first.origin)
    return [
        _Builds(
            group,
            [origins[build] for build in group],
            Grid(
                _side_by_side([cycles[build] for build in group]),
                joined=joined,
                periods=periods,
            ),
        )
        for group in _of_same_sizes(cycles)
    ]


def _of_same_sizes(cycles: Mapping[Build, Mapping[Sizes, int]]) -> list[list[Build]]:
    alike: dict[tuple[Sizes, ...], list[Build]] = {}
    for build, by_sizes in cycles.items():
        alike.setdefault(tuple(by_sizes), []).append(build)
    return list(alike.values())


def _side_by_side(
    cycles: Sequence[Mapping[Sizes, int]],
) -> dict[tuple[int, int], NDArray[np.float64]]:
    """Return the cycles by sizes, with an element for each build."""
    rows = [list(each.values()) for each in cycles]
    columns = np.array(rows, dtype=np.float64).T
    return {(*size,): own for size, own in zip(cycles[0], columns, strict=True)}


def _by_sizes(
    program: Program, operation: Operation, *, anew: bool
) -> dict[Sizes, int]:
    """Return cycles by sizes, with the set-up if every message needs one."""
    own = program.counts(operation)
    if not anew:
        return own
    set_up = program.counts(Operation.SET_UP)
    return {size: cycles + set_up[size] for size, cycles in own.items()}


def build_of(program: Program) -> Build:
    """Return how a program was compiled."""
    return Build(program.name.implementation, program.name.opt)


def builds(device: str, suite: str) -> list[Build]:
    """Return the builds of a suite that the bench has measured on a device.

    A suite that differs only in the tag's length stands in, as it does in `cost_of`.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    name = devices.device(device).name
    found = programs(name, _measured_like(name, suite))
    return list(dict.fromkeys(map(build_of, found)))


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
    found = [each for each in programs(name, slug) if build_of(each) == build]
    if not found:
        raise NotMeasuredError(_how_to_measure(Work(name, suite, Operation.SEAL, 0)))
    other = "" if slug == suite else f"; measured with {slug}"
    source = f"the bench on {name}: {build.implementation}, -{build.opt}{other}"
    origin = Origin.ESTIMATED if other else Origin.MEASURED
    flash = max(each.most("code_bytes") for each in found)
    ram = max(
        each.most("static_ram_bytes") + each.most("stack_bytes") for each in found
    )
    return Memory(
        Figure(flash, "byte", origin, source),
        Figure(ram, "byte", origin, source),
        found[0].first.flags or "",
    )


def _measured_like(device: str, suite: str) -> str:
    """Return the suite, or one that differs from it only in the tag's length."""
    stem, _, tag_size = suite.rpartition("-")
    # A suite without a tag does half of the work: it cannot stand for others.
    if programs(device, suite) or tag_size not in _TAG_SIZES:
        return suite
    others = (f"{stem}-{size}" for size in reversed(_TAG_SIZES))
    return next((other for other in others if programs(device, other)), suite)


@cache
def programs(device: str, suite: str) -> list[Program]:
    """Return the programs with figures of a suite on a device."""
    places = (store.committed_of(device), store.own())
    return [
        program
        for program in store.programs(*places, suites=[suite], without=_NOT_NEEDED)
        if program.name.device == device
        and program.name.suite == suite
        and program.head.has_figures
    ]


def results(device: str, suite: str) -> list[Result]:
    """Return the results with figures of a suite on a device."""
    return [each for program in programs(device, suite) for each in program]


def _how_to_measure(work: Work) -> str:
    return (
        f"{work.suite} has not been measured on {work.device} yet: run"
        f" `samara bench run --device {work.device} --suite {work.suite}`"
    )
