# SPDX-License-Identifier: Apache-2.0
"""The section of the report about parts with programmable logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.chip.fpga import PARTS
from samara.records.parts import Section
from samara.records.tables import Column, Row, Table, label, number, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.results import Placement


def sections(rows: Sequence[Placement]) -> Iterator[Section]:
    """Yield a section for each part that there are results for."""
    for part in PARTS.values():
        placed = [row for row in rows if row.library == part.slug]
        if placed:
            found = Section(
                slug=f"chip-fpga-{part.slug}",
                title=part.title,
                intro=f"Placed and routed, {part.corner}.",
                group="programmable logic",
                name=part.title,
            )
            found.parts.append(_table(part.slug, part.cells_title, placed))
            yield found


def _table(slug: str, cells_title: str, rows: Sequence[Placement]) -> Table:
    def order(row: Placement) -> tuple[str, int, str, str]:
        return (row.top, row.design.n, row.design.variant, row.goal)

    return Table(
        slug=f"chip-fpga-{slug}",
        title="Area and speed after place and route",
        columns=(
            label("placed"),
            label("core"),
            label("goal"),
            Column(cells_title),
            Column("flip-flops"),
            Column("best", "MHz"),
            Column("median", "MHz"),
            Column("seeds"),
            Column("throughput", "Mbit/s"),
            label("longest path"),
        ),
        rows=[_row(row) for row in sorted(rows, key=order)],
        caption="Core: without the shift registers around it, by the paths between its"
        " flip-flops. Best and median clock of all seeds, by nextpnr's model of the"
        " part.",
    )


def _row(row: Placement) -> Row:
    path = f"{row.path_from} to {row.path_to}, {row.path_cells} cells"
    return Row(
        (
            words(row.top),
            words(row.core),
            words(row.goal),
            number(row.cells, row.origin, 0, row.source),
            number(row.flip_flops, row.origin),
            number(row.best_hz / 1e6, row.origin),
            number(row.median_hz / 1e6, row.origin),
            words(f"{len(row.clocks_hz)}"),
            number(row.throughput_bit_s / 1e6, row.origin),
            words(path),
        )
    )
