# SPDX-License-Identifier: Apache-2.0
"""Which files of Python tests need something that changed since main.

--quick runs only these, and ./test runs slow tests only of these. One that reads
sources of Python needs all of them. A change of data that all tests need, such as the
sources of the core, calls for all tests (`testing.data_needs`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from testing import data_needs, python_needs
from testing.changed import changed, differing
from testing.files import is_document, is_python
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path


def quick_tests() -> list[str] | None:
    """Return the files that --quick runs; None for all.

    These are all where nothing changed: whoever asks then wants to see tests run.
    """
    names = changed()
    return _affected(names) if names else None


def files_with_slow() -> list[str] | None:
    """Return the files of which ./test runs the slow tests, too; None for all."""
    names = differing()
    return _affected(names) if names is not None else None


def _affected(names: Collection[str]) -> list[str] | None:
    """Return the files of tests that need one of these; None if that may be all."""
    if not all(map(_is_known, names)):
        return None
    needing = _needing(names) if names else ()
    return [path.relative_to(ROOT).as_posix() for path in needing]


def _is_known(name: str) -> bool:
    """Tell whether it can be told which tests need a file.

    It cannot for Python or a document that is gone.
    """
    if is_python(name) or is_document(name):
        return (ROOT / name).exists()
    return bool(data_needs.area_of(name))


def _needing(names: Collection[str]) -> Iterator[Path]:
    files = {ROOT / name for name in names}
    has_documents = any(map(is_document, names))
    data = {name for name in names if not is_python(name) and not is_document(name)}
    areas = {data_needs.area_of(name) for name in data}
    for path in python_needs.all_tests():
        if (
            python_needs.reads_sources(path)
            or (has_documents and python_needs.reads_documents(path))
            or not files.isdisjoint(python_needs.needed(path))
            or any(data_needs.needs(path, area) for area in areas)
        ):
            yield path
