# SPDX-License-Identifier: Apache-2.0
"""The sources of core/, their groups and their version."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The package need not be installed.
sys.path.insert(0, str(ROOT / "src"))

from samara.firmware.groups import (  # noqa: E402 - the line above
    CIPHERS,
    device_sources,
    groups,
    sources_of,
)

__all__ = [
    "ROOT",
    "cipher_groups",
    "device_sources",
    "groups",
    "sources_of",
    "version",
]
_VERSION = re.compile(r"^project\(samara VERSION (\d+\.\d+\.\d+)", re.MULTILINE)


def version(root: Path = ROOT) -> str:
    """Return the version of the library, which CMakeLists.txt has."""
    found = _VERSION.search((root / "CMakeLists.txt").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{root / 'CMakeLists.txt'} has no version of samara")
    return found[1]


def cipher_groups(core: Path) -> dict[str, list[str]]:
    """Return the groups that have a cipher; those of links use one of another."""
    return {
        name: sources
        for name, sources in groups(core).items()
        if any(source.partition("/")[0] in CIPHERS for source in sources)
    }
