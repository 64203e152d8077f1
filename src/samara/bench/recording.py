# SPDX-License-Identifier: Apache-2.0
"""Results from programs and their runs."""

from __future__ import annotations

import subprocess
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import samara
from samara.bench import places, toolchain
from samara.bench.results import Result
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.building import Program
    from samara.bench.devices import Device
    from samara.bench.results import Amounts, Counts, Operation
    from samara.bench.simulators import Run
    from samara.bench.subjects import Subject
    from samara.bench.ways import Build


class Derived(NamedTuple):
    """What follows from cycles on a device, by operations."""

    time_us: Amounts
    energy_uj: Amounts


class Figures(NamedTuple):
    """The fields of a result that runs give; see `samara.bench.results.Result`."""

    stack_bytes: int
    cycles: Counts
    instructions: Counts | None
    time_us: Amounts
    energy_uj: Amounts
    constant_time: bool
    varies: Counts


def without_figures(
    build: Build,
    subject: Subject,
    sizes: tuple[int, int],
    program: Program | None = None,
) -> Result:
    """Return a result that lacks the figures of a run."""
    device = build.device
    return Result(
        device=device.name,
        suite=subject.slug,
        implementation=build.implementation,
        opt=build.opt,
        flags=build.comparable_flags,
        message_bytes=sizes[0],
        ad_bytes=sizes[1],
        compiler=toolchain.version(device.family.compiler),
        code_bytes=None if program is None else program.code_bytes,
        static_ram_bytes=None if program is None else program.static_ram_bytes,
        samples=0,
        origin=device.family.cycles,
        revision=revision(),
        sources="" if program is None else program.sources,
        files=() if program is None else program.files,
    )


def figures(
    device: Device,
    runs: Mapping[Operation, Run],
    spread: Mapping[Operation, int],
    stack_bytes: int = 0,
) -> Figures:
    """Return the figures of a result, from runs of all operations.

    Parameters
    ----------
    spread
        Cycles by which operations vary, for those that do.
    stack_bytes
        The most that other runs used of the stack.
    """
    cycles = {name: run.cycles for name, run in runs.items()}
    instructions = {
        name: run.instructions
        for name, run in runs.items()
        if device.family.cycles is Origin.ESTIMATED and run.instructions is not None
    }
    return Figures(
        stack_bytes=max(stack_bytes, *(run.stack_bytes or 0 for run in runs.values())),
        cycles=cycles,
        instructions=instructions or None,
        **derived(device, cycles)._asdict(),
        constant_time=not spread,
        varies=dict(spread),
    )


def derived(device: Device, cycles: Counts) -> Derived:
    """Return microseconds and microjoules of cycles, as results have them."""
    return Derived(
        time_us={n: _rounded(device.time_us(c)) for n, c in cycles.items()},
        energy_uj={n: _rounded(device.energy_uj(c)) for n, c in cycles.items()},
    )


def _rounded(value: float) -> float:
    """Return four digits: no clock or current is known better."""
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded.is_integer() else rounded


_SOURCES = (".", ":!results")
"""All files but results, as Git names them."""


@cache
def revision() -> str:
    """Return the last commit that changed more than results, or "unknown" outside Git.

    Results that were accepted a moment ago change no program, and a commit of them
    has another name once it is rebased. The revision ends with -dirty where anything
    but results differs from it. Beside an installed package it is the version of the
    package.
    """
    if not places.is_clone():
        return f"v{samara.__version__}"
    try:
        commit = _git("log", "-1", "--format=%h", "--", *_SOURCES)
        changed = _git("diff", "--name-only", "HEAD", "--", *_SOURCES)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit or "unknown"


def _git(*words: str) -> str:
    """Return what a command of Git prints about this clone."""
    command = ("git", "-C", str(places.root()), *words)
    done = subprocess.run(  # noqa: S603 - a command of our own
        command, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
