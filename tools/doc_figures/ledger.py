# SPDX-License-Identifier: Apache-2.0
"""Rows about the figures of a page: where each comes from.

A page has a file in docs/figures/, with a row for each of its figures, in order:

- `section`, `text`: where the figure stands, as `found.Found` has it;
- `figure`: the figure a second time, so that neither changes alone;
- `origin`: `computed`, `defined`, or an origin of `samara.figure`;
- `source`: of what is computed an expression of `values`; else a few words.
"""

from __future__ import annotations

import csv
from dataclasses import astuple, dataclass, fields, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from doc_figures.found import Found, figures, replaced
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_MINUS = "\N{MINUS SIGN}"
COMPUTED = "computed"
"""From results and records, each time that it is checked."""
DEFINED = "defined"
"""By a standard, a format or the code; not a cost of anything."""
UNKNOWN = "?"
"""Of a figure that has come to a page. No figure may keep it."""
ORIGINS = {COMPUTED, DEFINED, *(origin.value for origin in Origin)}


@dataclass(frozen=True, slots=True)
class Row:
    """Where one figure comes from."""

    section: str
    text: str
    figure: str
    origin: str
    source: str

    @property
    def key(self) -> tuple[str, str]:
        """What does not change with the figure."""
        return self.section, self.text


NAMES = tuple(field.name for field in fields(Row))


def read(path: Path) -> list[Row]:
    """Return the rows of a file; none if there is no file.

    Raises
    ------
    ValueError
        If the columns are others, or a row has more or fewer.
    """
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    if tuple(head) != NAMES:
        raise ValueError(f"{path}: the columns are {NAMES}, not {head}")
    for line, cells in enumerate(rows, 2):
        if len(cells) != len(NAMES):
            raise ValueError(f"{path}:{line}: {len(cells)} cells, not {len(NAMES)}")
    return [Row(*cells) for cells in rows]


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write rows to a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(NAMES)
        writer.writerows(map(astuple, rows))


def _paired(
    stated: Sequence[Found], rows: Sequence[Row]
) -> Iterator[tuple[Found | None, Row | None]]:
    """Yield each figure with its row, in order; None where there is no other."""
    keys = [one.key for one in stated], [row.key for row in rows]
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(stated[i:i_end], rows[j:j_end], strict=True)
            continue
        yield from ((one, None) for one in stated[i:i_end])
        yield from ((None, row) for row in rows[j:j_end])


def differences(
    page: str, rows: Sequence[Row], value: Callable[[str], float]
) -> list[str]:
    """Return what is wrong with the figures of a page, a sentence each.

    Parameters
    ----------
    page
        Markdown.
    rows
        Of the page.
    value
        Returns the value of an expression; see `values`.
    """
    wrong = []
    for found, row in _paired(figures(page), rows):
        if found is None:
            assert row is not None
            wrong.append(f"no figure is at {row.text!r}: {row.figure} was")
        elif row is None:
            wrong.append(f"{found.figure} has no row: {found.text!r}")
        else:
            wrong += _wrong(found, row, value)
    return wrong


def _wrong(found: Found, row: Row, value: Callable[[str], float]) -> Iterator[str]:
    if row.origin not in ORIGINS or not row.source:
        yield f"{found.figure} has no origin: {found.text!r}"
    elif row.origin == COMPUTED:
        right = shown(value(row.source), found.figure)
        for figure in {found.figure, row.figure} - {right}:
            yield f"{figure} is {right} by {row.source}: {found.text!r}"
    if found.figure != row.figure:
        yield f"{found.figure} is {row.figure} by its row: {found.text!r}"


def shown(value: float, like: str) -> str:
    """Return a value with the decimals, commas and sign of a figure.

    >>> shown(-1234.56, "-12.3"), shown(1234.5, "1000"), shown(0.1607, "0.16")
    ('-1,234.6', '1234', '0.16')
    """
    whole, _, decimals = like.lstrip(f"+-{_MINUS}").partition(".")
    comma = "" if len(whole) > 3 and "," not in whole else ","
    sign = "+" if like[0] == "+" else ""
    text = f"{value:{sign}{comma}.{len(decimals)}f}"
    return text.replace("-", _MINUS) if _MINUS in like else text


def computed_anew(
    page: str, rows: Sequence[Row], value: Callable[[str], float]
) -> tuple[str, list[Row]]:
    """Return page and rows with what is computed as it is now."""
    new_rows, changes = [], []
    for found, row in _paired(figures(page), rows):
        new = row
        if found and row and row.origin == COMPUTED:
            new = replace(row, figure=shown(value(row.source), found.figure))
            changes.append((found, new.figure))
        if new:
            new_rows.append(new)
    return replaced(page, iter(changes)), new_rows


def fitted(page: str, rows: Sequence[Row]) -> list[Row]:
    """Return a row for each figure of a page, in its order.

    A figure whose text has changed keeps its origin if no other one was lost or came
    there; other new ones have `UNKNOWN`. Figures of rows stay as they are.
    """
    stated = figures(page)
    matcher = SequenceMatcher(
        None, [one.key for one in stated], [row.key for row in rows], autojunk=False
    )
    new_rows: list[Row] = []
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            new_rows += rows[j:j_end]
            continue
        new_rows += _carried(stated[i:i_end], list(rows[j:j_end]))
    return new_rows


def _carried(stated: Sequence[Found], old_rows: list[Row]) -> Iterator[Row]:
    """Yield rows, with the origins of old ones of the same figures, each once."""
    for one in stated:
        same = [row for row in old_rows if row.figure == one.figure]
        origin = (same[0].origin, same[0].source) if same else (UNKNOWN, "")
        if same:
            old_rows.remove(same[0])
        yield Row(*one.key, one.figure, *origin)
