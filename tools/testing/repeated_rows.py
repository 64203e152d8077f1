# SPDX-License-Identifier: Apache-2.0
"""Listing, or dropping, the rows whose fault is made by rule as well."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from testing.made_faults import repeated
from testing.planted_rows import FOLDER, read_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_HEAD = "[[mutation]]\n"


def main(arguments: Sequence[str]) -> int:
    """Print the names of the rows; `--drop` and names of files drop those there."""
    names = {row.name for row in repeated(read_rows())}
    print(*sorted(names), sep="\n")
    if arguments[:1] == ["--drop"]:
        chosen = arguments[1:] or [path.name for path in FOLDER.glob("*.toml")]
        for name in chosen:
            path = FOLDER / name
            path.write_text(without(path.read_text(), names))
    return 0


def without(text: str, names: Collection[str]) -> str:
    """Return the text of a file of rows without some of them."""
    head, *rows = text.split(_HEAD)
    kept = [row for row in rows if _name(row) not in names]
    return _HEAD.join([head, *kept]).rstrip("\n") + "\n"


def _name(row: str) -> str:
    (line,) = (one for one in row.splitlines() if one.startswith("name = "))
    return line.removeprefix("name = ").strip("\"'")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
