# SPDX-License-Identifier: Apache-2.0
"""Handing on what mypy found, from clone to clone.

mypy keeps what it found of each file in `.mypy_cache`, and takes it from there only for
a file with the same hash. A fresh clone begins with what mypy kept when it passed last
on this machine: as with a compiler's cache, the answers are the same, and come sooner.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from testing.green_record import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

_NAME = ".mypy_cache"


def bring(root: Path) -> None:
    """Give a clone without such a directory what the last one left."""
    kept = cache_folder() / "mypy"
    if kept.is_dir() and not (root / _NAME).exists():
        _copy(kept, root / _NAME)


def keep(root: Path) -> None:
    """Leave what mypy found for other clones, in place of what there was."""
    if (root / _NAME).is_dir():
        cache_folder().mkdir(parents=True, exist_ok=True)
        _copy(root / _NAME, cache_folder() / "mypy")


def _copy(source: Path, target: Path) -> None:
    """Put a copy of a directory in the place of another one, as a whole or not at all.

    Another run may do the same meanwhile: then either copy is good.
    """
    draft, old = (target.with_name(f"{target.name}.{os.getpid()}.{n}") for n in (1, 2))
    # What is gone while it is copied is missed as a whole.
    with suppress(OSError, shutil.Error):
        shutil.copytree(source, draft)
        if target.exists():
            target.rename(old)
        draft.rename(target)
    for each in (draft, old):
        shutil.rmtree(each, ignore_errors=True)
