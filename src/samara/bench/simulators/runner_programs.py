# SPDX-License-Identifier: Apache-2.0
"""Runners as programs: each is built from a directory of devices/families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara import atomic_files
from samara.bench import places, toolchain
from samara.bench.hashing import hash_of_files

if TYPE_CHECKING:
    from pathlib import Path

_FLAGS = ("-std=gnu11", "-O2")


def runner_program(family: str, name: str, *libraries: str) -> Path:
    """Return a program of a family's directory; it is built when it is not there yet.

    Raises
    ------
    samara.bench.toolchain.ToolMissingError, samara.bench.toolchain.BuildError
        When it cannot be built.
    """
    folder = places.root() / "devices" / "families" / family / name
    target = places.made() / f"{family}-{name}-{hash_of_files([folder])}"
    if not target.is_file():
        sources = sorted(folder.glob("*.c"))
        with atomic_files.made_by(target) as temporary:
            toolchain.run(["cc", *_FLAGS, *sources, "-o", temporary, *libraries])
    return target
