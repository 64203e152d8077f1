# SPDX-License-Identifier: Apache-2.0
"""Reports: a page of sections in a directory, and a CSV file for each table.

A room makes the sections. What a report is, how it is written and what is answered of
it is the same for all rooms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from samara.records import (
    Answer,
    Field,
    Notice,
    Parameter,
    Record,
    Remark,
    record_class,
    report_script,
)
from samara.records.csv_lines import csv_of_table
from samara.records.html_page import as_html
from samara.records.parts import Plot
from samara.records.paths import OUTPUT_DIRECTORY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.records.parts import Heading, Missing, Section
    from samara.records.tables import Table

PAGE = "index.html"
_SHOWN = 5
"""Missing measurements that people are told; the page has all of them."""


def output_parameter(default_text: str) -> Parameter:
    """Return the parameter for the directory of a report."""
    return Parameter(
        name="output",
        short="o",
        metavar="DIR",
        help="Directory for the page and its files.",
        values=OUTPUT_DIRECTORY,
        default_text=default_text,
    )


@dataclass(frozen=True, slots=True)
class Report:
    """Sections, and the facts before them."""

    heading: Heading
    sections: Sequence[Section]
    facts: Mapping[str, str] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """Return all tables, in order."""
        return [table for section in self.sections for table in section.tables()]

    def has_charts(self) -> bool:
        """Return whether there are plots."""
        parts = (part for section in self.sections for part in section.parts)
        return any(isinstance(part, Plot) for part in parts)

    def missing(self) -> list[Missing]:
        """Return what has not been measured yet."""
        return [missing for section in self.sections for missing in section.missing()]

    def write(self, folder: Path) -> list[Path]:
        """Write the page and a CSV file for each table.

        Returns
        -------
        list of Path
            What was written, the page first.
        """
        folder.mkdir(parents=True, exist_ok=True)
        names = {table.slug: f"{table.slug}.csv" for table in self.tables()}
        page = as_html(self.heading, self.sections, self.facts, names)
        written = {folder / PAGE: page.encode()}
        for table in self.tables():
            written[folder / names[table.slug]] = csv_of_table(table)
        for path, content in written.items():
            path.write_bytes(content)
        return list(written)


@record_class
class Page(Record):
    """A report that was written."""

    path: Annotated[Path, Field("The page.")]
    files: Annotated[tuple[Path, ...], Field("A CSV file for each table.")]
    facts: Annotated[Mapping[str, str], Field("What is at its top, by name.")]


@record_class
class ReportTable(Record):
    """A table of a report."""

    TYPE: ClassVar[str] = "table"

    slug: Annotated[str, Field("Name of its file, without the ending.")]
    title: Annotated[str, Field("The line above it.")]
    caption: Annotated[str, Field("The lines below it; may be empty.")]
    rows: Annotated[
        tuple[Mapping[str, Any], ...],
        Field("By column: a figure, a text, a number or `null`."),
    ]


@record_class
class MissingMeasurement(Record):
    """What a report lacks."""

    TYPE: ClassVar[str] = "missing"

    what: Annotated[str, Field("What is not measured yet.")]
    command: Annotated[str, Field("The command that measures it.")]


ReportParts: TypeAlias = Page | ReportTable | MissingMeasurement


def written(report: Report, folder: Path) -> Answer[ReportParts]:
    """Write a report, and yield what it has."""
    path, *files = report.write(folder)
    yield Page(path, tuple(files), report.facts)
    for table in report.tables():
        rows = tuple(table.as_json()["rows"])
        yield ReportTable(table.slug, table.title, table.caption, rows)
    for gap in report.missing():
        yield MissingMeasurement(gap.description, gap.command)
    yield from _summary(path, len(files), report.missing())
    if report.has_charts() and report_script.found() is None:
        yield Notice(report_script.NOT_BUILT)


def _summary(path: Path, tables: int, missing: Sequence[Missing]) -> Iterator[Remark]:
    """Yield where the report is, and what it lacks."""
    files = "a table" if tables == 1 else f"{tables} tables"
    yield Remark(f"{path}, and {files} as CSV beside it", is_line=True)
    for gap in missing[:_SHOWN]:
        yield Remark(
            f"not measured yet: {gap.description}\n  {gap.command}", is_line=True
        )
    if len(missing) > _SHOWN:
        yield Remark(f"... and {len(missing) - _SHOWN} more, on the page", is_line=True)
