# SPDX-License-Identifier: Apache-2.0
"""Programs around libsimavr, each from a directory in devices/families/avr."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samara import atomic_files
from samara.bench import places, toolchain
from samara.bench.hashing import hash_of_files

if TYPE_CHECKING:
    from pathlib import Path

_FLAGS = ("-std=gnu11", "-O2")


@cache
def avr_program(name: str) -> Path:
    """Return a program, such as ``"runner"``; it is built when it is not there yet.

    Raises
    ------
    samara.bench.toolchain.ToolMissingError, samara.bench.toolchain.BuildError
        When it cannot be built.
    """
    folder = places.root() / "devices" / "families" / "avr" / name
    target = places.made() / f"avr-{name}-{hash_of_files([folder])}"
    if not target.is_file():
        sources = sorted(folder.glob("*.c"))
        libraries = ("-lsimavr", "-lelf")
        with atomic_files.made_by(target) as temporary:
            toolchain.run(["cc", *_FLAGS, *sources, "-o", temporary, *libraries])
    return target
