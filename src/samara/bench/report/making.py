# SPDX-License-Identifier: Apache-2.0
"""Making a report out of sections, and writing it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench import devices, freshness
from samara.bench.report import (
    files,
    general,
    grain128aead,
    grain128ple,
    host,
    linksecurity,
    modspeck,
    overview,
)
from samara.bench.report.selecting import Results
from samara.records import html_page
from samara.records.parts import Heading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from samara.bench.results import Result
    from samara.records.parts import Missing, Section
    from samara.records.tables import Table

PAGE = "index.html"
CIPHERS = Heading(
    "What ciphers cost",
    "Code, memory, time and energy of samara's ciphers on microcontrollers, beside"
    " what the literature reports.",
)
"""Above the bench's report."""


def _grain128ple(results: Results) -> Section:
    times = host.measure(grain128ple.SUITE, grain128ple.SIZES)
    return grain128ple.section(results, times)


PAPERS: dict[str, Callable[[Results], Section]] = {
    grain128aead.SLUG: grain128aead.section,
    modspeck.SLUG: modspeck.section,
    linksecurity.SLUG: linksecurity.section,
    grain128ple.SLUG: _grain128ple,
}
"""What makes the section of each paper."""


@dataclass(frozen=True, slots=True)
class Report:
    """Sections, and the facts before them."""

    sections: Sequence[Section]
    facts: dict[str, str]

    def tables(self) -> list[Table]:
        """Return all tables, in order."""
        return [table for section in self.sections for table in section.tables()]

    def missing(self) -> list[Missing]:
        """Return what has not been measured yet."""
        return [missing for section in self.sections for missing in section.missing()]


def make(rows: Iterable[Result], papers: Sequence[str] = ()) -> Report:
    """Make a report of results.

    Parameters
    ----------
    papers
        Papers to compare with; the report then has only these. All when empty.

    Raises
    ------
    samara.extras.MissingPackageError
        If Matplotlib is not installed.
    """
    results = Results(rows)
    sections: list[Section] = []
    if not papers:
        known = devices.devices()
        sections.append(overview.section(known, results))
        sections += [general.section(device, results) for device in known]
    sections += [PAPERS[slug](results) for slug in papers or PAPERS]
    return Report(sections, _facts(results))


def _facts(results: Results) -> dict[str, str]:
    figures = sum(result.has_figures for result in results.all)
    revisions = sorted({result.revision for result in results.all})
    facts = {
        "results": f"{len(results.all):,}, {figures:,} with figures",
        "devices": ", ".join(results.devices()) or "none measured yet",
        "revision": ", ".join(revisions) or "-",
    }
    told = Counter(map(freshness.is_current, results.all))
    doubts = {
        f"{told[False]:,} results are of other sources than those here": told[False],
        f"of {told[None]:,} this cannot be told": told[None],
    }
    if beware := [text for text, count in doubts.items() if count]:
        facts["beware"] = ", ".join(beware)
    return facts


def write(report: Report, folder: Path, heading: Heading = CIPHERS) -> list[Path]:
    """Write the page and a CSV file for each table; return their paths, page first."""
    folder.mkdir(parents=True, exist_ok=True)
    names = {table.slug: f"{table.slug}.csv" for table in report.tables()}
    html = html_page.as_html(heading, report.sections, report.facts, names)
    written = {folder / PAGE: html}
    for table in report.tables():
        written[folder / names[table.slug]] = files.as_csv(table)
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return list(written)
