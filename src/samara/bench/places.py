# SPDX-License-Identifier: Apache-2.0
"""Where the bench finds the sources it builds, and keeps what it makes."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from samara.errors import MisuseError


class NoSourcesError(MisuseError):
    """The sources of samara are not there: the bench compiles them."""

    def __str__(self) -> str:
        return (
            "the bench compiles samara's own sources: call it within a clone of"
            " the repository, or set SAMARA_ROOT to one"
        )


@cache
def root() -> Path:
    """Return the folder with core/, devices/ and firmware/.

    Raises
    ------
    NoSourcesError
        When neither SAMARA_ROOT, nor the folders above the current one, nor
        those above this package are one.
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
    """Return the folder for what the bench builds; nothing in it is precious."""
    return root() / "build" / "bench"
