# SPDX-License-Identifier: Apache-2.0
"""The types of docs/json.md, and their keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vectorfile import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


class Row(NamedTuple):
    """One type, as one row of the page describes it."""

    type: str
    commands: set[str]
    required: set[str]
    optional: set[str]


def rows() -> Iterator[Row]:
    page = (ROOT / "docs" / "json.md").read_text()
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3 and re.fullmatch(r"`[a-z_]+`", cells[0]):
            commands = set(re.findall("`([a-z ]+)`", cells[1]))
            keys = cells[2]
            while (shorter := re.sub(r"\([^()]*\)", "", keys)) != keys:
                keys = shorter
            named = re.findall(r"`([a-z][a-z0-9_]*)`(\?)?", keys)
            optional = {name for name, mark in named if mark}
            required = {name for name, mark in named if not mark} - {"null"}
            yield Row(cells[0].strip("`"), commands, required, optional)


ROWS = list(rows())


def documented(kind: str) -> set[str]:
    """Return the keys that objects of a type always have."""
    (row,) = (row for row in ROWS if row.type == kind)
    return {"type"} | row.required
