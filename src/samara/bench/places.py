# SPDX-License-Identifier: Apache-2.0
"""Directories of the sources that the bench builds, and of its own files."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from samara.errors import MisuseError


class NoSourcesError(MisuseError):
    """The sources of samara, which the bench compiles, were not found."""

    def __str__(self) -> str:
        return (
            "the bench compiles samara's own sources: run it in a clone of the"
            " repository, or set SAMARA_ROOT to one"
        )


@cache
def root() -> Path:
    """Return the directory with core/, devices/ and firmware/.

    Raises
    ------
    NoSourcesError
        If it is neither SAMARA_ROOT, nor the current directory or one above it,
        nor a directory above this package.
    """
    if named := os.environ.get("SAMARA_ROOT"):
        candidates = [Path(named)]
    else:
        here, package = Path.cwd(), Path(__file__).resolve()
        candidates = [here, *here.parents, *package.parents]
    for folder in candidates:
        if (folder / "devices" / "families").is_dir() and (folder / "core").is_dir():
            return folder.resolve()
    raise NoSourcesError


def made() -> Path:
    """Return the directory for the files that the bench builds."""
    return root() / "build" / "bench"
