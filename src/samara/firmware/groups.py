# SPDX-License-Identifier: Apache-2.0
"""Groups of sources in core/, as core/groups.toml names them.

Tools of the sources read this module without samara being installed: it needs nothing
but Python.
"""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GROUPS = "groups.toml"
CIPHERS = ("aead", "block", "stream")
"""Directories of core/ with ciphers."""
# Only hosts have the table of everything by name.
_HOST = "host"


def device_sources(core: Path) -> list[str]:
    """Return all that a device may link, in the order of the single file."""
    paths = (path.relative_to(core) for path in core.rglob("*.c"))
    return sorted(path.as_posix() for path in paths if path.parts[0] != _HOST)


def groups(core: Path) -> dict[str, list[str]]:
    """Return the sources of each group, with what any group may need."""
    table = tomllib.loads((core / GROUPS).read_text(encoding="utf-8"))
    sources = device_sources(core)
    every = _chosen(sources, table["every"])
    found = {name: _chosen(sources, row) for name, row in table["groups"].items()}
    named = set(every).union(*found.values())
    for source in sources:
        if source not in named:
            found.setdefault(_own_group(source), []).append(source)
    return {name: sorted({*every, *found[name]}) for name in sorted(found)}


def sources_of(core: Path, names: Iterable[str]) -> list[str]:
    """Return the sources of some groups, each once."""
    table = groups(core)
    unknown = sorted(set(names) - set(table))
    if unknown:
        message = (
            f"there is no group {unknown[0]!r}; expected one of {', '.join(table)}"
        )
        raise ValueError(message)
    return sorted({source for name in names for source in table[name]})


def _own_group(source: str) -> str:
    folder, _, name = source.partition("/")
    return Path(name).stem if folder in CIPHERS else folder


def _chosen(sources: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Return the sources that patterns name, without those after a `!`.

    >>> _chosen(["block/aes.c", "block/speck.c"], ["block/*.c", "!*/speck*"])
    ['block/aes.c']
    """
    out = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return [
        source
        for source in sources
        if any(fnmatch(source, pattern) for pattern in patterns)
        and not any(fnmatch(source, pattern) for pattern in out)
    ]
