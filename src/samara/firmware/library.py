# SPDX-License-Identifier: Apache-2.0
"""The part of the C library that the firmware of a node needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.firmware.groups import groups, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PUBLIC = "include/samara/"
_INCLUDE = re.compile(r'^ *# *include [<"]([^>"]+)[>"]', re.MULTILINE)
_NODE = "node"
# Of the header that records include.
_OF_RECORDS = ("include/samara/samara.h",)
_MACHINES = "arch/"


def group_of(suite: str, core: Path) -> str:
    """Return the group of core/groups.toml that has a suite, or a cipher.

    Raises
    ------
    MisuseError
        When no group has it.

    """
    slug = suite.replace("-", "_")
    fitting = [name for name in groups(core) if slug.startswith(name)]
    if not fitting:
        message = f"unknown suite {suite!r}: samara suites lists them"
        raise MisuseError(message)
    return max(fitting, key=len)


def needed_files(
    suite: str, core: Path, machines: Iterable[str], code: Iterable[str] = ()
) -> list[str]:
    """Return sources and headers of a node with this suite, by place in core/.

    Parameters
    ----------
    machines
        The directories of core/arch whose processors it is for.
    code
        Texts of the user's sources and headers, which may include others of core/.
    """
    own = tuple(f"{_MACHINES}{machine}/" for machine in machines)
    chosen = [
        source
        for source in sources_of(core, [_NODE, group_of(suite, core)])
        if source.startswith(own) or not source.startswith(_MACHINES)
    ]
    included = [place for text in code for place in _included(text, core)]
    return sorted(_with_headers([*chosen, *_OF_RECORDS, *included], core))


def _with_headers(places: Iterable[str], core: Path) -> set[str]:
    """Return files of core/, and all of core/ that they include."""
    found: set[str] = set()
    waiting = list(places)
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += _included((core / place).read_text(encoding="utf-8"), core)
    return found


def _included(text: str, core: Path) -> Iterator[str]:
    for name in _INCLUDE.findall(text):
        for place in (name, f"include/{name}"):
            if (core / place).is_file():
                yield place
