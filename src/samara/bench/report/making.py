# SPDX-License-Identifier: Apache-2.0
"""Making the bench's report out of results: devices, then papers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.bench import devices, freshness, hashing, places, store
from samara.bench.report import general, overview, papers
from samara.bench.report.selecting import Results
from samara.records import Answer, Parameter, Request, request_class
from samara.records.parts import Heading
from samara.records.paths import EXISTING
from samara.records.reports import Report, ReportParts, output_parameter, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from samara.bench.results import Result
    from samara.records.parts import Section

_HEADING = Heading(
    "What ciphers cost",
    "Code, memory, time and energy of samara's ciphers on microcontrollers, beside"
    " what the literature reports.",
)


@request_class
class ReportRequest(Request):
    """What the page is about, and where it goes."""

    CHANGES = "files"

    output: Annotated[Path | None, output_parameter("build/report")] = None
    papers: Annotated[
        tuple[str, ...],
        Parameter(
            name="paper",
            metavar="PAPER",
            help="Report on this paper only (repeatable).",
            names=papers.names,
            default_text="on all devices and papers",
        ),
    ] = ()
    stores: Annotated[
        tuple[Path, ...],
        Parameter(
            name="store",
            metavar="PATH",
            help="File or directory of results (repeatable).",
            values=EXISTING,
            default_text="results/ and your own",
        ),
    ] = ()


def report(request: ReportRequest) -> Answer[ReportParts]:
    """Write the page and its files, and yield what is in them.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a paper is not known.
    samara.extras.MissingPackageError
        If Matplotlib or Jinja2 is not installed.
    """
    for slug in request.papers:
        # Before results are read, which takes seconds.
        papers.maker(slug)
    stores = request.stores or (store.committed(), store.own())
    rows = store.read(*stores)
    yield from freshness.look_up(rows)
    made = make(rows, request.papers)
    yield from written(made, request.output or places.build() / "report")


def make(rows: Iterable[Result], chosen: Sequence[str] = ()) -> Report:
    """Make a report of results.

    Parameters
    ----------
    chosen
        Papers to compare with; the report then has only these. All when empty.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a paper is not known.
    samara.extras.MissingPackageError
        If Matplotlib is not installed.
    """
    results = Results(rows)
    sections: list[Section] = []
    if not chosen:
        known = devices.devices()
        sections.append(overview.section(known, results))
        sections += [general.section(device, results) for device in known]
    sections += [papers.maker(slug)(results) for slug in chosen or papers.names()]
    return Report(_HEADING, sections, _facts(results))


def _facts(results: Results) -> dict[str, str]:
    figures = sum(result.has_figures for result in results.all)
    revisions = sorted({result.revision for result in results.all})
    facts = {
        "results": f"{len(results.all):,}, {figures:,} with figures",
        "devices": ", ".join(results.devices()) or "none measured yet",
        "revision": ", ".join(revisions) or "-",
    }
    with hashing.looking_once():
        states = Counter(map(freshness.is_current, results.all))
    doubts = {
        f"{states[False]:,} results are of other sources than those here": states[
            False
        ],
        f"of {states[None]:,} this cannot be told": states[None],
    }
    if beware := [text for text, count in doubts.items() if count]:
        facts["beware"] = ", ".join(beware)
    return facts
