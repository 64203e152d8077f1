# SPDX-License-Identifier: Apache-2.0
"""Sources and headers as one file each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]$')
_CONDITION = re.compile(r"^ *# *(if|endif)")
_GUARD = re.compile(r"^#ifndef SAMARA_\w+_H$", re.MULTILINE)
_SPDX = "/* SPDX-License-Identifier: Apache-2.0 */"
_VERSION_HEADER = "samara/version.h"


class _Expansion:
    """Puts included headers in place, guarded ones only once."""

    def __init__(self, core: Path) -> None:
        self.core = core
        self.seen: set[Path] = set()
        self._conditions = 0
        self._front: list[str] = []

    def source(self, path: Path) -> str:
        """Return the text of a source, which includes what it needs."""
        text = self._expand(path)
        front = "".join(self._front)
        self._front.clear()
        return front + text

    def header(self, path: Path) -> str:
        """Return a header's text, or nothing when it is there already."""
        return "" if path in self.seen else self.source(path)

    def _expand(self, path: Path) -> str:
        text = path.read_text(encoding="utf-8")
        if not _GUARD.search(text):
            return self._lines(text)
        if path in self.seen:
            return ""
        self.seen.add(path)
        return self._guarded(path, text)

    def _guarded(self, path: Path, text: str) -> str:
        """Return a header that is here for all that follow.

        One that is included within a condition goes in front of the source: the
        condition may leave it out, and others rely on it.
        """
        conditions, self._conditions = self._conditions, 0
        if conditions != 0 and path.is_relative_to(self.core / "arch"):
            raise ValueError(
                f"{path} is of one machine, and first included within a condition"
            )
        # The guard itself is no condition: it always holds here.
        self._conditions = -1
        expanded = self._lines(text)
        self._conditions = conditions
        if conditions == 0:
            return expanded
        self._front.append(expanded)
        return ""

    def _lines(self, text: str) -> str:
        lines = (line for line in text.splitlines() if line != _SPDX)
        return "".join(self._line(line) for line in lines)

    def _line(self, line: str) -> str:
        """Return a line, or the header that it includes."""
        if condition := _CONDITION.match(line):
            self._conditions += 1 if condition[1] == "if" else -1
        match = _INCLUDE.match(line)
        path = self._find(match[1]) if match else None
        return f"{line}\n" if path is None else self._expand(path)

    def _find(self, name: str) -> Path | None:
        """Return the header of ours that an #include names, if it is one."""
        paths = (folder / name for folder in (self.core, self.core / "include"))
        return next((path for path in paths if path.is_file()), None)


def amalgamated(core: Path, sources: Iterable[str], version: str) -> dict[str, str]:
    """Return the texts of samara.h and samara.c that have these sources alone.

    The header declares what the sources include of the public headers.
    """
    chosen = list(sources)
    headers = _public_headers(core, chosen)
    expansion = _Expansion(core)
    title = f"{_SPDX}\n/* samara {version}, in one file. */\n\n"
    header = "".join(expansion.header(path) for path in headers)
    bodies = [
        f"\n/* ---- {source} ---- */\n\n{expansion.source(core / source)}"
        for source in chosen
    ]
    guard = "SAMARA_SAMARA_H"
    return {
        "samara.h": f"{title}#ifndef {guard}\n#define {guard}\n\n{header}\n#endif\n",
        "samara.c": f'{title}#include "samara.h"\n{"".join(bodies)}',
    }


def _public_headers(core: Path, sources: Iterable[str]) -> list[Path]:
    expansion = _Expansion(core)
    for source in sources:
        expansion.source(core / source)
    include = core / "include"
    public = {path for path in expansion.seen if path.is_relative_to(include)}
    return sorted({*public, include / _VERSION_HEADER})
