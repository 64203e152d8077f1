# SPDX-License-Identifier: Apache-2.0
"""The formats of traces: a module each in `samara.energy.trace.readers`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from samara.crypto.names import find
from samara.energy.trace import readers
from samara.energy.trace.blocks import Format, TraceError
from samara.energy.trace.columns import head_of, no_samples

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 64 << 10
"""Bytes by which a format is found."""


@cache
def _by_name() -> dict[str, Format]:
    modules = [
        importlib.import_module(f"{readers.__name__}.{each.name}")
        for each in pkgutil.iter_modules(readers.__path__)
    ]
    found: list[Format] = [each.FORMAT for each in modules]
    found.sort(key=lambda each: each.is_general)
    return {each.name: each for each in found}


def names() -> list[str]:
    """Return the names of all formats."""
    return list(_by_name())


def format_of(path: Path, name: str | None) -> Format:
    """Return the format of a file.

    Parameters
    ----------
    name
        The format, where it is known. Default: the first one that fits the content.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no format of this name.
    TraceError
        When no format fits.
    OSError
        When the file cannot be read.
    """
    if name is not None:
        return find("format", name, _by_name())
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        message = f"{path} is empty: expected a trace of currents over time"
        raise TraceError(message)
    for each in _by_name().values():
        if each.fits(head):
            return each
    if b"\0" not in head and head_of(head) is None:
        raise TraceError(no_samples(path))
    message = (
        f"{path} is in no format that is known by its content: give --columns with the "
        "columns of a CSV file, such as --columns time=ms,current=uA, or --format "
        f"with one of {', '.join(names())}"
    )
    raise TraceError(message)
