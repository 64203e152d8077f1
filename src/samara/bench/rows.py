# SPDX-License-Identifier: Apache-2.0
"""One result: what one cipher, compiled one way, costs for one size of message."""

from __future__ import annotations

import subprocess
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from samara.bench import places, toolchain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.building import Build, Program
    from samara.bench.devices import Device
    from samara.bench.simulators import Run
    from samara.bench.subjects import Subject


@dataclass(frozen=True, slots=True)
class Row:
    """What is written as one line of JSON. None is what is not known."""

    device: str
    suite: str
    """The suite, or the block cipher."""
    implementation: str
    opt: str
    flags: str
    """What the compiler is called with."""
    message_bytes: int
    ad_bytes: int
    compiler: str
    code_bytes: int | None
    """What the linker keeps for the cipher, constants included."""
    static_ram_bytes: int | None
    """Its variables: the expanded key, where it keeps one."""
    stack_bytes: int | None
    """The most that any of the operations puts on the stack."""
    cycles: dict[str, int] | None
    """Of each operation: set_up, seal, open; block: set_up, encrypt, decrypt.
    Behind these, of the parts in which CCM* is timed."""
    instructions: dict[str, int] | None
    """The same, where they are exact and the cycles are not."""
    time_us: dict[str, float] | None
    energy_uj: dict[str, float] | None
    constant_time: bool | None
    """Whether all samples took the same time."""
    varies: dict[str, int]
    """By how many cycles each operation varies, where it does."""
    samples: int
    origin: str
    """`measured`, or `estimated` where cycles are a model's."""
    problem: str | None
    """Why there are no figures."""
    revision: str
    """Of the sources, by Git."""
    sources: str
    """A hash of the sources in the program; "" when there is none."""
    files: tuple[str, ...]
    """These sources: not part of the line, but of one before it."""

    @classmethod
    def of(
        cls,
        build: Build,
        subject: Subject,
        sizes: tuple[int, int],
        program: Program | None = None,
    ) -> Self:
        """Return a row without the figures that a run gives."""
        device = build.device
        return cls(
            device=device.name,
            suite=subject.slug,
            implementation=build.implementation,
            opt=build.opt,
            flags=build.told_flags,
            message_bytes=sizes[0],
            ad_bytes=sizes[1],
            compiler=toolchain.version(device.family.compiler),
            code_bytes=None if program is None else program.code_bytes,
            static_ram_bytes=None if program is None else program.static_ram_bytes,
            stack_bytes=None,
            cycles=None,
            instructions=None,
            time_us=None,
            energy_uj=None,
            constant_time=None,
            varies={},
            samples=0,
            origin=device.family.cycles,
            problem=None,
            revision=revision(),
            sources="" if program is None else program.sources,
            files=() if program is None else program.files,
        )

    def as_json(self) -> dict[str, Any]:
        """Return what is written about it."""
        fields = asdict(self)
        del fields["files"]
        return fields


def figures(
    device: Device,
    runs: Mapping[str, Run],
    spread: Mapping[str, int],
    stack_bytes: int = 0,
) -> dict[str, Any]:
    """Return the fields of a row that runs of all operations give.

    Parameters
    ----------
    spread
        By how many cycles operations vary, of those that do.
    stack_bytes
        What other calls took of the stack; those of all sizes begin with one.
    """
    cycles = {name: run.cycles for name, run in runs.items()}
    instructions = {
        name: run.instructions
        for name, run in runs.items()
        if device.family.cycles == "estimated" and run.instructions is not None
    }
    return {
        "stack_bytes": max(
            stack_bytes, *(run.stack_bytes or 0 for run in runs.values())
        ),
        "cycles": cycles,
        "instructions": instructions or None,
        "time_us": {n: _rounded(device.time_us(c)) for n, c in cycles.items()},
        "energy_uj": {n: _rounded(device.energy_uj(c)) for n, c in cycles.items()},
        "constant_time": not spread,
        "varies": dict(spread),
    }


def _rounded(value: float) -> float:
    """Return four digits: no clock or current is known better."""
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded.is_integer() else rounded


@cache
def revision() -> str:
    """Return the commit that is checked out, or "unknown" outside Git."""
    command = ("git", "-C", str(places.root()), "describe", "--always", "--dirty")
    try:
        done = subprocess.run(  # noqa: S603 - a command of our own
            command, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
