# SPDX-License-Identifier: Apache-2.0
"""Reports and answers as one HTML page that needs no server and no network.

The page is templates/page.html.j2 with the style sheet beside it. Here is what the
template cannot decide: which cells are joined, and the classes of rows and cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from samara.extras import needed
from samara.figure import Origin
from samara.records import charts, report_script
from samara.records.answers import Notice, Progress, Remark, Verbatim
from samara.records.composing import composed
from samara.records.parts import Plot, Section
from samara.records.tables import NOT_MEASURED, NOT_YET, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jinja2 import Environment

    from samara.records.answers import Beside, Digest
    from samara.records.fields import Record
    from samara.records.parts import Heading, Part
    from samara.records.tables import Cell, Column, Row

_TEMPLATE = "page.html.j2"

_LONG = 32
"""Characters from which on a cell's text may be broken into lines."""


class _Group(NamedTuple):
    """Sections under one heading of the list of contents."""

    name: str
    sections: Sequence[Section]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A cell as the template writes it."""

    kinds: Sequence[str]
    """Classes of the style sheet."""
    text: str
    remark: str = ""
    origin: Origin | None = None
    width: int = 1
    """Columns that it spans."""


class _ShownRow(NamedTuple):
    kinds: Sequence[str]
    cells: Sequence[_Shown]


def page_of(
    answer: Iterable[Record | Digest[Record] | Beside],
    heading: Heading,
    plots: Iterable[Plot] = (),
) -> str:
    """Return an answer as a page: its notices, tables, plots and remarks.

    Raises
    ------
    samara.extras.MissingPackageError
        If Jinja2 is not installed.
    """
    parts = [part for part in composed(answer) if not isinstance(part, Progress)]
    notices = [part for part in parts if isinstance(part, Notice)]
    remarks = [part for part in parts if isinstance(part, Remark)]
    above = [part for part in remarks if part.is_above]
    below = [part for part in remarks if not part.is_above]
    texts = [part for part in parts if isinstance(part, Verbatim)]
    # Two tables may be of records of one type.
    tables = [
        replace(part, slug=f"{part.slug}-{number}")
        for number, part in enumerate(parts, 1)
        if isinstance(part, Table)
    ]
    shown: list[Part] = [*notices, *above, *texts, *tables, *plots, *below]
    only = Section("answer", "", "", "", "", parts=shown)
    return as_html(heading, [only])


def as_html(
    heading: Heading,
    sections: Sequence[Section],
    facts: Mapping[str, str] = MappingProxyType({}),
    files: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a page of sections; of more than one, with a list of contents.

    Parameters
    ----------
    facts
        Names and values that the page shows at its top.
    files
        Name of the file with each table, by the table's slug.

    Raises
    ------
    samara.extras.MissingPackageError
        If Jinja2 is not installed.
    """
    plots = _plots(sections)
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            sections=sections,
            facts=facts,
            files=files,
            origins=_origins(sections),
            heading=heading,
            script=report_script.found() if plots else None,
            not_built=report_script.NOT_BUILT,
            shown=charts.as_json(plots),
        )
    )


def _plots(sections: Iterable[Section]) -> dict[str, Sequence[charts.Drawn]]:
    """Return what each plot shows, by its slug."""
    return {
        part.slug: part.charts
        for section in sections
        for part in section.parts
        if isinstance(part, Plot)
    }


@cache
def _environment() -> Environment:
    with needed("bench"):
        from jinja2 import (  # noqa: PLC0415 - only pages need it
            Environment,
            PackageLoader,
            StrictUndefined,
        )
    found = Environment(
        loader=PackageLoader("samara.records"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {
        "groups": _groups,
        "kind": _kind,
        "shown_rows": _shown_rows,
    }
    return found


def _kind(part: Part) -> str:
    return type(part).__name__


def _groups(sections: Iterable[Section]) -> list[_Group]:
    by_name = groupby(sections, key=lambda section: section.group)
    return [_Group(name, list(members)) for name, members in by_name]


def _origins(sections: Iterable[Section]) -> list[Origin]:
    """Return the origins of all figures on the page, in the order of their table."""
    found = {
        cell.origin
        for section in sections
        for table in section.tables()
        for row in table.rows
        for cell in row.cells
    }
    return [origin for origin in Origin if origin in found]


def _shown_rows(table: Table) -> Iterator[_ShownRow]:
    before: str | None = None
    for row in table.rows:
        first = row.cells[0].text
        repeated = table.groups and first == before
        kinds = ["ours"] if row.emphasis else []
        kinds += ["first"] if table.groups and not repeated else []
        cells = list(_shown_cells(row, table.columns))
        if repeated:
            cells[0] = _Shown((), "")
        yield _ShownRow(kinds, cells)
        before = first


def _shown_cells(row: Row, columns: Sequence[Column]) -> Iterator[_Shown]:
    """Yield the cells of a row; adjacent cells without a measurement are joined."""
    pairs = list(zip(row.cells, columns, strict=True))
    runs = groupby(pairs, key=lambda pair: pair[0] == NOT_MEASURED)
    for missing, run in ((missing, list(run)) for missing, run in runs):
        if missing:
            text = NOT_YET if len(run) == 1 else NOT_MEASURED
            yield _shown(text, run[0][1], width=len(run))
        else:
            yield from (_shown(*pair) for pair in run)


def _shown(cell: Cell, column: Column, width: int = 1) -> _Shown:
    kinds = ["n" if column.numeric else "words"]
    kinds += ["missing"] if cell.missing else []
    kinds += ["long"] if len(cell.text) > _LONG else []
    return _Shown(kinds, cell.text, cell.remark, cell.origin, width)
