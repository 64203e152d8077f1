# SPDX-License-Identifier: Apache-2.0
"""Making the chip's report out of results: beside the note, by library, by part."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.bench import places, published
from samara.chip import results
from samara.chip.design import sources_hash
from samara.chip.report import fpga, goals, tables, wrappers
from samara.chip.report.answer import answers
from samara.chip.report.rows import by_library
from samara.chip.requests import Stores
from samara.chip.results import Placement, Synthesis
from samara.errors import MisuseError
from samara.records import Answer, Notice, Request, request_class
from samara.records.answers import Remark
from samara.records.parts import Heading, Missing, Section
from samara.records.reports import Report, ReportParts, output_parameter, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.chip.report.rows import Rows
    from samara.chip.results import Row

_HEADING = Heading(
    "What the Grain-128 core costs in hardware",
    "Area, speed, power and energy of samara's core from N = 1 to 64 bits a clock,"
    " beside what the literature reports.",
)

_DIFFERENCES = (
    (
        "The note's cipher is version 1; ours is version 2, whose start takes a third"
        " longer. The authors call the difference in area negligible."
    ),
    (
        "The note's library is a commercial one in 65 nm. Ours are open ones in 130 and"
        " 180 nm, at typical corners. Gate equivalents and ratios between N compare;"
        " clocks, power and energy do not."
    ),
    (
        "All cores here are alone: no bus, no registers for key and nonce. The table of"
        " wrappers says what these add, and what a host does to feed a core."
    ),
    (
        "The note does not say whether its figures are before or after layout. Ours are"
        " netlists without layout, wires, clock tree and glitches: a real chip is"
        " slower and draws more."
    ),
)
_CONTRADICTIONS = (
    (
        "The note contradicts itself on power. Its high-speed table has 0.25 mW at"
        " 2.5 GHz for N = 1, which is 0.1 pJ a clock; its low-power table has 0.23 µW"
        " at 100 kHz, which is 2.3 pJ a clock, for the same cipher and process. The"
        " energies of Table 3 follow the former. Power is therefore compared with"
        " Table 4 alone."
    ),
    (
        "Table 4 prints 2053 gate equivalents for N = 16, between 3692 (N = 8) and 7950"
        " (N = 32); the goal for that N is 5053."
    ),
)


@request_class
class ReportRequest(Request):
    """Which results the page is about, and where it goes."""

    CHANGES = "files"

    output: Annotated[Path | None, output_parameter("build/chip-report")] = None
    stores: Stores = ()


def report(request: ReportRequest) -> Answer[ReportParts]:
    """Write the page and its files, and yield what is in them.

    Raises
    ------
    MisuseError
        If there are no results.
    samara.extras.MissingPackageError
        If Matplotlib or Jinja2 is not installed.
    """
    stores = request.stores or (results.committed(), results.own())
    rows = results.read(*stores)
    placed = results.read(*(folder / "fpga" for folder in stores))
    placements = [row for row in placed if isinstance(row, Placement)]
    if not rows and not placements:
        places_read = " and ".join(map(str, request.stores)) or "the repository"
        message = (
            f"{places_read} has no results of a chip: run samara chip synth and samara "
            "chip power, which store them, or give another --store"
        )
        raise MisuseError(message)
    if stale := results.stale_in_words(rows):
        yield Notice(stale, warns=True)
    folder = request.output or places.build() / "chip-report"
    yield from written(make(rows, placements), folder)


def make(rows: Sequence[Row], placements: Sequence[Placement] = ()) -> Report:
    """Make a report of results: of libraries, and of programmable parts.

    Raises
    ------
    samara.extras.MissingPackageError
        If Matplotlib is not installed.
    """
    libraries = by_library(rows)
    found = [_beside(libraries), *map(_section, libraries)]
    found += fpga.sections(placements)
    return Report(_HEADING, found, _facts(rows, placements))


def _facts(rows: Sequence[Row], placements: Sequence[Placement]) -> dict[str, str]:
    both = [*rows, *placements]
    facts = {
        "results": f"{len(both):,}",
        "libraries": ", ".join(sorted({row.process for row in rows})) or "none yet",
        "sources": sources_hash(),
    }
    gated = [row for row in rows if isinstance(row, Synthesis) and row.clock_gates]
    kept = sum(row.beyond_limits == 0 for row in gated)
    if kept < len(gated):
        facts["clock gates"] = (
            f"{kept:,} of {len(gated):,} netlists with clock gates are known to keep"
            " the library's limits; energies of the others are too high"
        )
    if stale := results.stale(both):
        count = f"{len(stale):,}"
        facts["beware"] = f"{count} results are of other sources than those in rtl/"
    return facts


def _beside(libraries: Sequence[Rows]) -> Section:
    paper = published.paper("grain128aead")
    found = Section(
        slug="chip-beside",
        title=f"{paper.name}: Tables 2 to 4",
        intro="The note reports the cipher in hardware for seven widths. Ours are the"
        " same widths, in libraries that everybody can get.",
        group="the core",
        name="beside the note",
        source=paper.citation,
    )
    found.parts += answers(libraries)
    found.parts += [Remark(text) for text in _DIFFERENCES]
    if not libraries:
        found.parts.append(Missing("all of it", "samara chip synth"))
        return found
    found.parts += [tables.area(libraries), tables.speed(libraries)]
    found.parts.append(tables.energy(libraries))
    found.parts += [Remark(text) for text in _CONTRADICTIONS]
    found.parts += tables.plots(libraries)
    keystream = tables.keystream(libraries)
    missed, wrapped = goals.missed(libraries), wrappers.table(libraries)
    found.parts += [table for table in (wrapped, keystream, missed) if table.rows]
    return found


def _section(rows_of: Rows) -> Section:
    any_ = rows_of.any
    found = Section(
        slug=f"chip-{rows_of.library}",
        title=any_.process,
        intro=f"Library {rows_of.library}, corner {any_.corner}. The Liberty file has"
        f" the SHA-256 hash {any_.library_sha256}.",
        group="libraries",
        name=any_.process,
    )
    found.parts += [tables.everything(rows_of), tables.parts(rows_of)]
    return found
