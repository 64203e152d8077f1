# SPDX-License-Identifier: Apache-2.0
"""Text for pages about the chip, by results: `tools/figures-in-docs` writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.chip import results
from samara.chip.design import CORE, WIDTHS
from samara.chip.fpga import PARTS
from samara.chip.report import goals, wrappers
from samara.chip.report.rows import by_library
from samara.chip.results import Placement, Synthesis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from samara.chip.report.rows import Rows
    from samara.records.tables import Column, Table

_PLACED = (("plain", "area"), ("fast", "speed"))
"""Variants and goals of the table of parts."""


def blocks(folder: Path) -> dict[str, str]:
    """Return the text for each mark.

    Parameters
    ----------
    folder
        Directory with results.
    """
    libraries = by_library(results.read(folder))
    rows = results.read(folder / "fpga")
    placed = [row for row in rows if isinstance(row, Placement)]
    return {
        "chip-goals": as_markdown(goals.reached(libraries)),
        "chip-missed": as_markdown(goals.missed(libraries)),
        "chip-wrappers": as_markdown(wrappers.table(libraries)),
        "chip-limits": _limits(libraries),
        "chip-fpga": _parts([row for row in placed if row.top == "core"]),
        "chip-spi": _serial([row for row in placed if row.top == "spi"]),
    }


def as_markdown(table: Table) -> str:
    """Return a table as Markdown."""
    rows = [[cell.text for cell in row.cells] for row in table.rows]
    return _markdown(list(map(_head, table.columns)), rows)


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(heads), *lines[1:]])


def _head(column: Column) -> str:
    return f"{column.name}, {column.unit}" if column.unit else column.name


def _limits(libraries: Sequence[Rows]) -> str:
    """Return which netlists with clock gates have been seen to keep the limits."""
    lines = []
    for rows_of in libraries:
        gated = [r for r in rows_of.all if isinstance(r, Synthesis) and r.clock_gates]
        kept = [row for row in gated if row.beyond_limits == 0]
        if gated:
            names = ", ".join(_named(row) for row in kept) or "none"
            lines.append(
                f"- {rows_of.any.process}: {len(kept)} of {len(gated)} netlists with"
                f" clock gates keep all limits: {names}."
            )
    return "\n".join(lines) or "No netlist has a clock gate."


def _named(row: Synthesis) -> str:
    top = "" if row.top == CORE else f" in {row.top}"
    return (
        f"{row.core}{top}" if row.goal == "area" else f"{row.core}{top} for {row.goal}"
    )


def _parts(rows: Sequence[Placement]) -> str:
    """Return a table with a row for each N, and columns for each part and variant."""
    heads = ["N"]
    for part in PARTS.values():
        for variant, _ in _PLACED:
            heads += [f"{part.title}, {variant}: {part.cells_title}", "MHz"]
    return _markdown(heads, [[f"{n}", *_of_parts(rows, n)] for n in WIDTHS])


def _of_parts(rows: Iterable[Placement], n: int) -> Iterator[str]:
    known = {(row.library, row.core, row.goal): row for row in rows}
    for slug in PARTS:
        for variant, goal in _PLACED:
            core = f"grain-n{n}" + ("" if variant == "plain" else f"-{variant}")
            row = known.get((slug, core, goal))
            yield "-" if row is None else f"{row.cells:,}"
            yield "-" if row is None else _clock(row)


def _clock(row: Placement) -> str:
    """Return the best clock in MHz, with the median where there are several seeds."""
    best = f"{row.best_hz / 1e6:.0f}"
    return best if len(row.clocks_hz) == 1 else f"{best} ({row.median_hz / 1e6:.0f})"


def _serial(rows: Iterable[Placement]) -> str:
    """Return a sentence about the wrapper with a serial port and its core."""
    lines = [
        f"{row.cells:,} {PARTS[row.library].cells_title} of {PARTS[row.library].title}"
        f" at N = {row.design.n} ({row.best_hz / 1e6:.0f} MHz)"
        for row in sorted(rows, key=lambda row: (row.library, row.design.n))
    ]
    return f"With its core it takes {' and '.join(lines) or 'an unknown area'}."
