# SPDX-License-Identifier: Apache-2.0
"""The part of the C library that the firmware of a node needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara import crypto
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
_OTHER_MACHINES = ("arch/x86_64/", "arch/msp430/", "arch/armv7m/")


def group_of(suite: str, core: Path) -> str:
    """Return the group of core/groups.toml that has a suite.

    Raises
    ------
    MisuseError
        When no group has it.

    """
    slug = crypto.suite(suite).slug.replace("-", "_")
    fitting = [name for name in groups(core) if slug.startswith(name)]
    if not fitting:
        message = f"core/groups.toml has no group with the suite {suite}"
        raise MisuseError(message)
    return max(fitting, key=len)


def needed_files(suite: str, core: Path) -> list[str]:
    """Return sources and headers of a node with this suite, by place in core/."""
    chosen = [
        source
        for source in sources_of(core, [_NODE, group_of(suite, core)])
        if not source.startswith(_OTHER_MACHINES)
    ]
    return sorted(_with_headers([*chosen, *_OF_RECORDS], core))


def _with_headers(places: Iterable[str], core: Path) -> set[str]:
    """Return files of core/, and all of core/ that they include."""
    found: set[str] = set()
    waiting = list(places)
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += _included(core / place, core)
    return found


def _included(path: Path, core: Path) -> Iterator[str]:
    for name in _INCLUDE.findall(path.read_text(encoding="utf-8")):
        for place in (name, f"include/{name}"):
            if (core / place).is_file():
                yield place
