# SPDX-License-Identifier: Apache-2.0
"""A report as one HTML page that needs nothing else: no server, no network."""

from __future__ import annotations

from html import escape
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING

from samara.bench.report.model import Finding, Missing, Plot
from samara.figure import Origin
from samara.tables import NOT_MEASURED, NOT_YET, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.bench.report.model import Part, Section
    from samara.tables import Cell, Column, Row

_LEGEND = {
    Origin.MEASURED: "counted in an exact simulation, or from the bytes themselves",
    Origin.ESTIMATED: "what a model makes of something measured",
    Origin.PUBLISHED: "as a paper has it, or plain arithmetic on that",
    Origin.HOST_CLOCK: "time by the clock of the computer that made this page",
    Origin.ASSUMED: "rests on a figure that was neither measured nor checked",
}
"""The origins that figures on the page have; `emulated` is for links alone."""


_LONG = 32
"""Characters of a cell that may be broken into lines."""


def as_html(
    sections: Sequence[Section],
    facts: Mapping[str, str],
    files: Mapping[str, str],
) -> str:
    """Return the page.

    Parameters
    ----------
    facts
        What is told at the top: names and what they are.
    files
        The file that holds each table, by the table's slug.
    """
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<title>samara: what ciphers cost</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        *_navigation(sections),
        "<main>",
        *_opening(facts),
    ]
    for section in sections:
        lines += _section(section, files)
    return "\n".join([*lines, "</main>", "</body>", "</html>", ""])


def _navigation(sections: Sequence[Section]) -> Iterator[str]:
    # On narrow screens the box folds the list; it needs no script.
    yield '<nav aria-label="Contents"><input type="checkbox" id="contents">'
    yield '<label for="contents">Contents</label><ul>'
    group = ""
    for section in sections:
        if section.group != group:
            group = section.group
            yield f'<li class="group">{escape(group)}</li>'
        yield f'<li><a href="#{section.slug}">{escape(section.name)}</a></li>'
    yield "</ul></nav>"


def _opening(facts: Mapping[str, str]) -> Iterator[str]:
    yield "<h1>What ciphers cost</h1>"
    yield (
        '<p class="lead">Code, memory, time and energy of samara&#39;s ciphers on'
        " microcontrollers, beside what the literature reports.</p>"
    )
    yield '<dl class="facts">'
    for name, what in facts.items():
        yield f"<dt>{escape(name)}</dt><dd>{escape(what)}</dd>"
    yield "</dl>"
    yield '<ul class="legend">'
    for origin, meaning in _LEGEND.items():
        yield f'<li><b data-origin="{origin}">{origin}</b> {escape(meaning)}</li>'
    yield "</ul>"


def _section(section: Section, files: Mapping[str, str]) -> Iterator[str]:
    yield f'<section id="{section.slug}">'
    yield f"<h2>{escape(section.title)}</h2>"
    if section.source:
        yield f'<p class="source">{escape(section.source)}</p>'
    yield f"<p>{escape(section.intro)}</p>"
    for part in section.parts:
        yield from _part(part, files)
    yield "</section>"


def _part(part: Part, files: Mapping[str, str]) -> Iterator[str]:
    match part:
        case Finding():
            yield f'<p class="finding">{escape(part.text)}</p>'
        case Missing():
            yield from _alarm(part)
        case Plot():
            yield from _figure(part)
        case Table():
            yield from _table(part, files)


def _alarm(part: Missing) -> Iterator[str]:
    yield '<div class="alarm" role="note">'
    yield f"<strong>Not measured yet:</strong> {escape(part.what)}"
    if part.command:
        yield f"<code>{escape(part.command)}</code>"
    yield "</div>"


def _figure(part: Plot) -> Iterator[str]:
    caption = escape(part.caption)
    yield f'<figure id="{part.slug}">'
    yield (
        f"<figcaption><b>{escape(part.title)}</b>"
        f'<span class="caption">{caption}</span></figcaption>'
    )
    yield f'<div class="scroll">{part.svg}</div>'
    yield "</figure>"


def _table(part: Table, files: Mapping[str, str]) -> Iterator[str]:
    head = f"<h3>{escape(part.title)}</h3>"
    if part.folded:
        yield f'<details id="{part.slug}"><summary>{head}</summary>'
    else:
        yield f'<div id="{part.slug}">{head}'
    yield f'<p class="caption">{escape(part.caption)} {_file_link(part, files)}</p>'
    yield '<div class="scroll"><table>'
    yield f"<thead><tr>{''.join(map(_head, part.columns))}</tr></thead>"
    yield "<tbody>"
    yield from _rows(part)
    yield "</tbody></table></div>"
    yield "</details>" if part.folded else "</div>"


def _file_link(table: Table, files: Mapping[str, str]) -> str:
    name = files.get(table.slug)
    return "" if name is None else f'<a href="{escape(name)}">CSV</a>'


def _head(column: Column) -> str:
    unit = f"<small>{escape(column.unit)}</small>" if column.unit else ""
    kind = ' class="n"' if column.numeric else ""
    return f'<th scope="col"{kind}>{escape(column.name)}{unit}</th>'


def _rows(table: Table) -> Iterator[str]:
    before: str | None = None
    for row in table.rows:
        first = row.cells[0].text
        repeated = table.groups and first == before
        kinds = ["ours"] if row.emphasis else []
        kinds += ["first"] if table.groups and not repeated else []
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        yield f"<tr{kind}>{_cells(row, table.columns, repeated=repeated)}</tr>"
        before = first


def _cells(row: Row, columns: Sequence[Column], *, repeated: bool) -> str:
    pairs = list(zip(row.cells, columns, strict=True))
    # What is missing side by side is said once.
    runs = groupby(pairs, key=lambda pair: pair[0] == NOT_MEASURED)
    cells = []
    for missing, run in ((missing, list(run)) for missing, run in runs):
        if missing:
            alone = len(run) == 1
            said = NOT_YET if alone else NOT_MEASURED
            cells.append(_cell(said, run[0][1], width=len(run)))
        else:
            cells += [_cell(*pair) for pair in run]
    if repeated:
        cells[0] = "<td></td>"
    return "".join(cells)


def _cell(cell: Cell, column: Column, width: int = 1) -> str:
    kinds = ["n" if column.numeric else "words"]
    kinds += ["missing"] if cell.missing else []
    kinds += ["long"] if len(cell.text) > _LONG else []
    attributes = f' class="{" ".join(kinds)}"'
    attributes += f' colspan="{width}"' if width > 1 else ""
    if cell.origin:
        attributes += f' data-origin="{cell.origin}"'
    if cell.remark:
        attributes += f' title="{escape(cell.remark)}"'
    return f"<td{attributes}>{escape(cell.text)}</td>"
