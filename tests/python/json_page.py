# SPDX-License-Identifier: Apache-2.0
"""The types of docs/json.md, and their keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vectorfile import ROOT

from record_types.page import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterator


class Row(NamedTuple):
    """One type, as the page describes it."""

    type: str
    commands: set[str]
    required: set[str]
    optional: set[str]


PAGE = (ROOT / "docs" / "json.md").read_text()


def rows() -> Iterator[Row]:
    """Yield the types in rows written by hand, then those in sections of records."""
    for line in BLOCK.sub("", PAGE).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3 and re.fullmatch(r"`[a-z_]+`", cells[0]):
            keys = cells[2]
            while (shorter := re.sub(r"\([^()]*\)", "", keys)) != keys:
                keys = shorter
            yield _row(cells[0].strip("`"), cells[1], keys)
    for section in re.split(r"(?m)^(?=##)", PAGE):
        if head := re.match(r"### `([a-z_]+)`\n\n.* Printed by (.*)\.\n", section):
            names = re.findall(r"(?m)^\| (`[a-z0-9_]+`\??) \|", section)
            yield _row(head[1], head[2], " ".join(names))


def _row(kind: str, commands: str, keys: str) -> Row:
    named = re.findall(r"`([a-z][a-z0-9_]*)`(\?)?", keys)
    optional = {name for name, mark in named if mark}
    required = {name for name, mark in named if not mark} - {"null"}
    return Row(kind, set(re.findall("`([a-z ]+)`", commands)), required, optional)


ROWS = list(rows())


def documented(kind: str) -> set[str]:
    """Return the keys that objects of a type always have."""
    (row,) = (row for row in ROWS if row.type == kind)
    return {"type"} | row.required
