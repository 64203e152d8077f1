# SPDX-License-Identifier: Apache-2.0
"""Hashes of what a check depends on: files, tools and machine.

Tools are known by Debian's list of installed packages and by the versions of the Python
packages; where that list is missing nothing is known, and the hash is empty.
"""

from __future__ import annotations

import hashlib
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from testing.session import ROOT, VENV

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PACKAGES = Path("/var/lib/dpkg/status")
_PROCESSOR = Path("/proc/cpuinfo")


def of_texts(texts: Iterable[str]) -> str:
    """Return one hash of several texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def of_content(path: Path) -> str:
    """Return the hash of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def of_files(paths: Iterable[Path], content: Callable[[Path], str] = of_content) -> str:
    """Return one hash of the names and contents of files of the project.

    Parameters
    ----------
    content
        Returns the hash of a file's bytes: one that remembers, for files that are in
        many such hashes.
    """
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    ordered = sorted(names.items())
    return of_texts(text for name, path in ordered for text in (name, content(path)))


def of_machine() -> str:
    """Return the hash of tools and machine; empty if they are not known."""
    return of_texts(_machine()) if _PACKAGES.exists() else ""


def _machine() -> Iterator[str]:
    yield _PACKAGES.read_text()
    for package in sorted(VENV.parent.glob("lib/python3*/site-packages/*.dist-info")):
        yield package.name
    yield from (os.environ.get("PATH", ""), platform.release())
    lines = _PROCESSOR.read_text().splitlines() if _PROCESSOR.exists() else ()
    yield from sorted({one for one in lines if one.startswith(("flags", "model name"))})
