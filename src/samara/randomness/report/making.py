# SPDX-License-Identifier: Apache-2.0
"""Making the report out of summaries of runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.errors import MisuseError
from samara.randomness.judging import FAMILY
from samara.randomness.reading import NOT_PROVED, sentences
from samara.randomness.report import beside, pictures, tables
from samara.randomness.settings import Battery
from samara.randomness.storing import read_summary, summaries
from samara.records import Answer, Parameter, Request, request_class
from samara.records.answers import Remark
from samara.records.parts import Advice, Heading, Section
from samara.records.reports import Report, ReportParts, output_parameter, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.randomness.described import Summary

_HEADING = Heading(
    "What statistical tests find in keystreams",
    "NIST's tests, Dieharder and ent on samara's ciphers, on other generators, and on"
    " sources that are bad on purpose.",
)
_BAD = "bad:"


@request_class
class ReportRequest(Request):
    """Which runs the page is about, and where it goes."""

    CHANGES = "files"

    folder: Annotated[
        Path,
        Parameter(
            metavar="DIR",
            help="Directory of a run, or of directories of runs.",
            is_argument=True,
        ),
    ]
    output: Annotated[Path | None, output_parameter("report, within DIR")] = None


def report(request: ReportRequest) -> Answer[ReportParts]:
    """Write the page and its files, and yield what is in them.

    Raises
    ------
    MisuseError
        If there are no runs.
    samara.extras.MissingPackageError
        If Matplotlib or Jinja2 is not installed.
    """
    folder = request.folder
    if not folder.is_dir():
        message = f"{folder} is no directory: give that of samara randomness run -o"
        raise MisuseError(message)
    paths = summaries(folder)
    if not paths:
        message = (
            f"{folder} has no summary of a run: run samara randomness run SOURCE -o"
            f" {folder}"
        )
        raise MisuseError(message)
    made = make([read_summary(path) for path in paths])
    yield from written(made, request.output or folder / "report")


def make(runs: Sequence[Summary]) -> Report:
    """Make a report of runs.

    Raises
    ------
    samara.extras.MissingPackageError
        If Matplotlib is not installed.
    """
    good = [one for one in runs if not _is_bad(one)]
    bad = [one for one in runs if _is_bad(one)]
    sections = [_overview(runs, _answer(good, bad))]
    sections += [beside.section(good)] if beside.applies(good) else []
    sections += [_planted(bad)] if bad else []
    sections += [_section(one) for one in [*good, *bad]]
    facts = {
        "runs": f"{len(runs)}",
        "measured": ", ".join(sorted({one.origin for one in runs})),
    }
    return Report(_HEADING, sections, facts)


def _is_bad(run: Summary) -> bool:
    return run.settings.source.startswith(_BAD)


def _overview(summaries: Sequence[Summary], answer: str) -> Section:
    found = Section(
        slug="randomness-overview",
        title="All runs",
        intro="A run passes if no test fails by a rule that divides an error of"
        f" {FAMILY:.1%} among all decisions of the run, so a good source passes with a"
        f" probability of {1 - FAMILY:.1%}, as far as p-values are uniform. NIST's"
        " criteria are for one test; a good source misses some of so many.",
        group="overview",
        name="all runs",
    )
    found.parts += [Advice(answer), tables.overview(summaries)]
    found.parts.append(Remark(NOT_PROVED))
    return found


def _answer(good: Sequence[Summary], bad: Sequence[Summary]) -> str:
    """Return what all runs together say, in two sentences."""
    failed = [one.settings.source for one in good if not one.verdict.passes]
    passed = f"{len(good) - len(failed)} of {len(good)}"
    text = f"{passed} runs of ciphers and other generators pass"
    text += f"; these fail: {', '.join(failed)}." if failed else "."
    if not bad:
        return text
    found = sum(not one.verdict.passes for one in bad)
    return f"{text} Of {len(bad)} sources that are bad on purpose, {found} were found."


def _planted(bad: Sequence[Summary]) -> Section:
    found = Section(
        slug="randomness-bad",
        title="Bad on purpose",
        intro="A battery that misses one of these shows nothing. Each must be found by"
        " at least one test.",
        group="overview",
        name="bad on purpose",
    )
    found.parts.append(tables.planted(bad))
    missed = [one.settings.source for one in bad if one.verdict.passes]
    found.parts.append(
        Remark(f"Not found: {', '.join(missed)}." if missed else "Each was found.")
    )
    return found


def _section(summary: Summary) -> Section:
    settings = summary.settings
    slug = tables.slug_of(settings)
    by_program = settings.battery is not Battery.STS
    facts = "; ".join(f"{name}: {text}" for name, text in settings.facts.items())
    found = Section(
        slug=slug,
        title=f"{settings.source}: {settings.battery}",
        intro=f"{summary.origin}; seed {settings.seed}"
        + (f"; {facts}." if facts else "."),
        group="sources",
        name=settings.source + (f", {settings.battery}" if by_program else ""),
    )
    found.parts += [Remark(sentence) for sentence in sentences(summary)]
    if not by_program:
        found.parts += [tables.groups(summary), pictures.histograms(summary)]
        found.parts += [pictures.proportions(summary)]
    found.parts.append(tables.everything(summary))
    return found
