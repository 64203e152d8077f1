# SPDX-License-Identifier: Apache-2.0
"""Cycles, time and energy of sealing and opening on a device, from bench results.

The bench has measured some sizes of message and associated data. For other sizes the
cycles are computed (`samara.energy.grid`), and their origin is *estimated*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import devices, store, subjects
from samara.energy.grid import Grid
from samara.errors import MisuseError
from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from samara.bench.results import Operation, Result


_TAG_SIZES = ("4", "8", "16")


@dataclass(frozen=True, slots=True)
class Work:
    """An operation on a device after the key is set up."""

    device: str
    suite: str
    operation: Operation
    message_bytes: int
    ad_bytes: int = 0
    """Bytes of associated data."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an operation."""

    cycles: Figure
    time: Figure
    energy: Figure


class NotMeasuredError(MisuseError):
    """The bench has no results for it; the text has the command that measures it."""


def cost_of(work: Work) -> Cost:
    """Return the cost of an operation, of the build that takes the fewest cycles.

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


def _cycles(work: Work) -> Figure:
    slug = _measured_like(work.device, work.suite)
    found = results(work.device, slug)
    form = subjects.subject(slug).frame
    joined = form is not None and form.only_authenticates
    estimates = []
    for build in dict.fromkeys((r.implementation, r.opt) for r in found):
        rows = [r for r in found if (r.implementation, r.opt) == build]
        grid = Grid({r.sizes: _cycles_of(r, work) for r in rows}, joined=joined)
        if grid.spans(work.message_bytes, work.ad_bytes):
            value = grid.at(work.message_bytes, work.ad_bytes)
            estimates.append((value, build, grid, rows[0].origin))
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


def _cycles_of(result: Result, work: Work) -> int:
    """Return the cycles of an operation, with the set-up if every message needs one."""
    # The set-up of a stream cipher takes the nonce: it is done for every message.
    anew = subjects.subject(work.suite).set_up_takes_nonce
    return result.cycles_of(work.operation) + (result.set_up_cycles if anew else 0)


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
    places = (store.committed() / f"{device}.jsonl", store.own())
    return [
        result
        for result in store.read(*places, containing=f'"{suite}"')
        if result.device == device and result.suite == suite and result.has_figures
    ]


def _how_to_measure(work: Work) -> str:
    return (
        f"{work.suite} has not been measured on {work.device} yet: run"
        f" `samara bench run --device {work.device} --suite {work.suite}`"
    )
