# SPDX-License-Identifier: Apache-2.0
"""Handing on what tools found, from clone to clone.

mypy keeps what it found of each file, and samara what preprocessors told of sources.
Both take it from there only for files with the same hashes. A fresh clone begins with
what was left by the last one on this machine in which the tests passed: as with a
compiler's cache, the answers are the same, and come sooner.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from testing.green_record import cache_folder

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class SharedCache:
    """A directory of clones that they hand on."""

    #: Its name in the user's cache.
    name: str
    #: Its path in a clone.
    place: str

    def bring(self, root: Path) -> None:
        """Give a clone without such a directory what the last one left."""
        kept = cache_folder() / self.name
        if kept.is_dir() and not (root / self.place).exists():
            (root / self.place).parent.mkdir(parents=True, exist_ok=True)
            _copy(kept, root / self.place)

    def keep(self, root: Path) -> None:
        """Leave what a clone has for others, in place of what there was."""
        if (root / self.place).is_dir():
            cache_folder().mkdir(parents=True, exist_ok=True)
            _copy(root / self.place, cache_folder() / self.name)


MYPY = SharedCache("mypy", ".mypy_cache")
#: `samara.bench.preprocessed` has them.
TEXTS = SharedCache("texts", "build/bench/texts")


def _copy(source: Path, target: Path) -> None:
    """Put a copy of a directory in the place of another one, as a whole or not at all.

    Another run may do the same meanwhile: then either copy is good.
    """
    temporary, old = (
        target.with_name(f"{target.name}.{os.getpid()}.{n}") for n in (1, 2)
    )
    # What is gone while it is copied is missed as a whole.
    with suppress(OSError, shutil.Error):
        shutil.copytree(source, temporary)
        if target.exists():
            target.rename(old)
        temporary.rename(target)
    for each in (temporary, old):
        shutil.rmtree(each, ignore_errors=True)
