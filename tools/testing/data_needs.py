# SPDX-License-Identifier: Apache-2.0
"""Which data a file of Python tests needs: most data all of them, some data few.

Some directories are for few tests: those with a Python file that names the directory,
and those that read any source or document, which may lead anywhere. Data of a room, a
directory of `samara`, are for what needs a Python file of that room.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from testing import python_needs
from testing.import_graph import read
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# Directories of data that few tests read.
_FOR_FEW = (
    *("packages", "results", "vectors", "tests/c", "tests/fuzz", "tests/mutations"),
    *("tests/package", "tests/rtl", "tests/soapy"),
)
_ROOMS = "src/samara/"
# Blocks for GNU Radio, which are compiled, and imported by one room alone.
_BLOCKS, _OF_BLOCKS = "gr-samara", f"{_ROOMS}phy"
# The extension module, which all import.
_NATIVE = f"{_ROOMS}native"


def area_of(name: str) -> str:
    """Return the directory of a file that only some tests need; empty for all tests."""
    for area in (*_FOR_FEW, _BLOCKS):
        if name.startswith(f"{area}/"):
            return area
    room = _room(name)
    return "" if room == _NATIVE else room


@cache
def areas_needed(test: Path) -> set[str] | None:
    """Return the directories of data that a test needs; None for all."""
    if python_needs.reads_sources(test) or python_needs.reads_documents(test):
        return None
    needed = python_needs.needed(test)
    found = {_room(path.relative_to(ROOT).as_posix()) for path in needed} - {""}
    if _OF_BLOCKS in found:
        found.add(_BLOCKS)
    return found.union(*map(_named, needed))


def needs(test: Path, area: str) -> bool:
    """Tell whether a test needs the data of a directory; empty for those of all."""
    areas = areas_needed(test)
    return not area or areas is None or area in areas


def unexpected(test: Path, folders: Iterable[str]) -> list[str]:
    """Return the directories from which a test read data that it seems not to need."""
    areas = {area_of(f"{folder}/") for folder in folders}
    return sorted(area for area in areas if not needs(test, area))


def _room(name: str) -> str:
    """Return the directory of a file in a directory of `samara`; empty elsewhere."""
    room, slash, _ = name.removeprefix(_ROOMS).partition("/")
    return f"{_ROOMS}{room}" if slash and name.startswith(_ROOMS) else ""


@cache
def _named(path: Path) -> set[str]:
    """Return the directories whose names a Python file has, whole or in parts."""
    texts = (text for text in read(path).texts if not re.search(r"\s", text))
    parts = {part for text in texts for part in text.split("/")}
    return {area for area in _FOR_FEW if parts.issuperset(area.split("/"))}
