# SPDX-License-Identifier: Apache-2.0
"""The table of wrappers: what they add to a core, and what a host feeds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.chip import feeding, results
from samara.chip.design import AXI, SPI, WIDTHS, Core
from samara.figure import Origin
from samara.records.tables import (
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.chip.report.rows import Rows

_MESSAGE_BYTES = 64
_COLUMNS = (
    label("library"),
    label("N"),
    Column("core", "GE"),
    Column("in AXI", "GE"),
    Column("AXI adds", "GE"),
    Column("in serial", "GE"),
    Column("serial adds", "GE"),
    Column("AXI: accesses"),
    Column("beats, 64 bytes"),
    Column("host cycles, 64 bytes"),
)


def table(libraries: Sequence[Rows]) -> Table:
    """Return a row for each N of a library that has a netlist in a wrapper."""
    return Table(
        slug="chip-wrappers",
        title="What a wrapper adds",
        columns=_COLUMNS,
        rows=[
            Row((words(rows_of.any.process), words(f"{n}"), *cells), emphasis=True)
            for rows_of in libraries
            for n in WIDTHS
            if (cells := _cells(rows_of, n))
        ],
        caption="Plain cores, netlists for area. A wrapper has registers for key, nonce"
        " and sizes, and the formatting of the message. Accesses to its registers and"
        " beats of its streams are those that seal one message; a new key takes 4"
        f" accesses more. Host cycles: 32 bits, {feeding.ASSUMPTION}.",
        groups=True,
    )


def _cells(rows_of: Rows, n: int) -> list[Cell]:
    """Return what stands behind library and N; nothing without a wrapper."""
    core = Core(n)
    netlists = {
        top: results.netlist(rows_of.all, rows_of.library, core.name, top)
        for top in ("core", AXI, SPI)
    }
    if not (netlists[AXI] or netlists[SPI]):
        return []

    def area(top: str) -> Cell:
        row = netlists[top]
        if row is None:
            return NOTHING
        return number(row.area_ge, row.origin, 0, row.source)

    def added(top: str) -> Cell:
        found = results.wrapper_ge(rows_of.all, rows_of.library, n, top)
        if found is None:
            return NOTHING
        return number(found.value, found.origin, 0, found.source)

    feed = feeding.of_message(core, _MESSAGE_BYTES)
    return [
        *(area("core"), area(AXI), added(AXI), area(SPI), added(SPI)),
        number(feed.accesses, Origin.MEASURED),
        number(feed.beats, Origin.MEASURED),
        number(feed.host_cycles(), Origin.ASSUMED, 0, feeding.ASSUMPTION),
    ]
