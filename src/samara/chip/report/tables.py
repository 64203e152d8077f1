# SPDX-License-Identifier: Apache-2.0
"""Tables and plots of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import published
from samara.chip import power, results
from samara.chip.design import CORE, WIDTHS
from samara.chip.report.rows import goal_ge, goal_mhz, record
from samara.chip.results import Power, Synthesis
from samara.figure import Figure, Origin
from samara.records import charts
from samara.records.charts import Axis, Chart
from samara.records.parts import Plot
from samara.records.tables import (
    NOT_YET,
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.chip.report.rows import Rows
    from samara.records.charts import Series

HIGH_SPEED = "grain128aead_asic_highspeed.csv"
LOW_POWER = "grain128aead_asic_lowpower.csv"
ENERGY = "grain128aead_asic_energy.csv"

_BLOCK_BYTES, _BLOCKS = 8, 1000


def _published(file: str, n: int, column: str, digits: int = 0) -> Cell:
    row = record(file, n)
    if row is None:
        return NOTHING
    return number(row.number(column), Origin.PUBLISHED, digits, row.text("note"))


def _ratio(ours: float, theirs: float | None) -> Cell:
    if theirs is None:
        return NOTHING
    return number(ours / theirs, Origin.ESTIMATED, 2)


def _about(row: Synthesis | Power) -> str:
    return f"{row.core}, netlist for {row.goal}; {row.source}"


def _by_width(
    libraries: Sequence[Rows],
    cells: Callable[[Rows, int], Sequence[Cell] | None],
    columns: Sequence[Column],
    *,
    gaps: bool = True,
) -> list[Row]:
    """Return a row for each library and N.

    Parameters
    ----------
    cells
        Returns what stands behind library and N; None where nothing was measured.
    columns
        Of the table, those of library and N included.
    gaps
        Whether N without figures have a row, which says so.
    """
    not_yet = [NOT_YET] * (len(columns) - 2)
    rows = []
    for rows_of in libraries:
        for n in WIDTHS:
            found = cells(rows_of, n)
            if found is not None or gaps:
                head = (words(rows_of.any.process), words(f"{n}"))
                own = not_yet if found is None else found
                rows.append(Row((*head, *own), emphasis=found is not None))
    return rows


def area(libraries: Sequence[Rows]) -> Table:
    """Return areas beside Tables 2 and 4."""
    columns = (
        label("library"),
        label("N"),
        Column("high speed, note", "GE"),
        Column("low power, note", "GE"),
        Column("ours, smallest", "GE"),
        label("variant"),
        Column("to goal, high speed"),
        Column("low power"),
        Column("its flip-flops", "GE"),
        Column("the rest", "GE"),
    )
    return Table(
        slug="chip-area",
        title="Area by N, beside Tables 2 and 4",
        columns=columns,
        rows=_by_width(libraries, _area_cells, columns),
        caption="Goals are the areas that the note prints, high speed and low power;"
        " ratios below 1 are smaller. A gate equivalent is the area of each library's"
        " own NAND gate. No flow can go below the flip-flops, which take from 4.0"
        " (OSU018) to 6.5 (IHP) gate equivalents each.",
        groups=True,
    )


def _area_cells(rows_of: Rows, n: int) -> Sequence[Cell] | None:
    ours = rows_of.smallest(n)
    if ours is None:
        return None
    low = record(LOW_POWER, n)
    return (
        _published(HIGH_SPEED, n, "area_ge"),
        _published(LOW_POWER, n, "area_ge"),
        number(ours.area_ge, ours.origin, 0, _about(ours)),
        words(ours.design.variant),
        _ratio(ours.area_ge, goal_ge("high_speed", n)),
        _ratio(ours.area_ge, goal_ge("low_power", n) if low else None),
        number(ours.flip_flops_ge, ours.origin),
        number(ours.area_ge - ours.flip_flops_ge, ours.origin),
    )


def speed(libraries: Sequence[Rows]) -> Table:
    """Return clocks beside Table 2 and the goals."""
    columns = (
        label("library"),
        label("N"),
        Column("note", "GHz"),
        Column("ours, fastest", "MHz"),
        label("variant"),
        Column("its area", "GE"),
        Column("throughput", "Mbit/s"),
        Column("to the goal"),
        label("area and clock in one netlist"),
    )
    return Table(
        slug="chip-speed",
        title="Clock by N, beside Table 2",
        columns=columns,
        rows=_by_width(libraries, _speed_cells, columns),
        caption="The clock of the note is in 65 nm: only ratios between N compare. The"
        " goal is 1.3 times the clock of a first core in the same library and flow."
        " The last column has the smallest netlist that keeps the goals of area"
        " (the note's least, high speed) and clock at once.",
        groups=True,
    )


def _speed_cells(rows_of: Rows, n: int) -> Sequence[Cell] | None:
    ours = rows_of.fastest(n)
    if ours is None:
        return None
    goal, both = goal_mhz(rows_of.library, n), rows_of.both(n)
    mhz = ours.frequency_hz / 1e6
    kept = "-" if goal is None else "none" if both is None else both.core
    return (
        _published(HIGH_SPEED, n, "frequency_ghz", 2),
        number(mhz, ours.origin, 0, _about(ours)),
        words(ours.design.variant),
        number(ours.area_ge, ours.origin),
        number(ours.throughput_bit_s / 1e6, ours.origin),
        _ratio(mhz, goal),
        words(kept, _about(both) if both else ""),
    )


def energy(libraries: Sequence[Rows]) -> Table:
    """Return power and energy beside Tables 3 and 4."""
    columns = (
        label("library"),
        label("N"),
        Column("at 100 kHz", "µW"),
        Column("8 bytes, 100 kHz", "nJ"),
        Column("8000 bytes, 100 kHz", "nJ"),
        Column("at 10 MHz", "µW"),
        Column("8 bytes, fast", "nJ"),
        Column("8000 bytes, fast", "nJ"),
        Column("a bit, 10 MHz", "pJ"),
    )
    return Table(
        slug="chip-energy",
        title="Power and energy by N, beside Tables 3 and 4",
        columns=columns,
        rows=[
            *map(_published_energy, WIDTHS),
            *_by_width(libraries, _energy_cells, columns),
        ],
        caption="Ours: the variant with the least energy a bit, netlist for area."
        " Fast is 10 MHz for ours, and the highest clock of Table 2 for the note's"
        " Table 3; without leakage, energy does not depend on it.",
        groups=True,
    )


def _published_energy(n: int) -> Row:
    of_blocks = {
        int(row.value("blocks")): row.number(f"x{n}_nj")
        for row in published.table(ENERGY)
    }
    return Row(
        (
            words("ST 65 nm, note"),
            words(f"{n}"),
            _published(LOW_POWER, n, "power_uw", 2),
            _published(LOW_POWER, n, "energy_1_block_nj", 2),
            _published(LOW_POWER, n, "energy_1000_blocks_nj", 1),
            NOTHING,
            number(of_blocks.get(1), Origin.PUBLISHED, 3),
            number(of_blocks.get(_BLOCKS), Origin.PUBLISHED, 2),
            NOTHING,
        )
    )


def _energy_cells(rows_of: Rows, n: int) -> Sequence[Cell] | None:
    row = rows_of.thriftiest(n)
    if row is None:
        return None

    def figure(value: float) -> Cell:
        return significant(value, row.origin, 3, _about(row))

    slow, fast, size = 100e3, 10e6, _BLOCK_BYTES * _BLOCKS
    return (
        figure(row.power_w(slow, row.run_j) * 1e6),
        figure(row.energy_j(slow, _BLOCK_BYTES) * 1e9),
        figure(row.energy_j(slow, size) * 1e9),
        figure(row.power_w(fast, row.run_j) * 1e6),
        figure(row.energy_j(fast, _BLOCK_BYTES) * 1e9),
        figure(row.energy_j(fast, size) * 1e9),
        figure(row.energy_of_bit_j(fast) * 1e12),
    )


def keystream(libraries: Sequence[Rows]) -> Table:
    """Return the cores of Grain-128PLE alone; without rows if there are none."""
    columns = (
        label("library"),
        label("N"),
        Column("smallest", "GE"),
        label("goal"),
        Column("its flip-flops", "GE"),
        Column("fastest", "MHz"),
        Column("throughput", "Mbit/s"),
    )
    return Table(
        slug="chip-keystream",
        title="Keystream of Grain-128PLE alone",
        columns=columns,
        rows=_by_width(libraries, _keystream_cells, columns, gaps=False),
        caption="AUTHENTICATE = 0: no accumulator, no register, N bits a clock.",
        groups=True,
    )


def _keystream_cells(rows_of: Rows, n: int) -> Sequence[Cell] | None:
    small = rows_of.smallest(n, authenticates=False)
    fast = rows_of.fastest(n, authenticates=False)
    if small is None or fast is None:
        return None
    goal = goal_ge("keystream", n)
    return (
        number(small.area_ge, small.origin, 0, _about(small)),
        words("-" if goal is None else f"under {goal}"),
        number(small.flip_flops_ge, small.origin),
        number(fast.frequency_hz / 1e6, fast.origin, 0, _about(fast)),
        number(fast.throughput_bit_s / 1e6, fast.origin),
    )


def everything(rows_of: Rows) -> Table:
    """Return all netlists of a library."""
    stale = {row.identity for row in results.stale(rows_of.all)}
    rows = [
        Row(
            (
                words(row.core if row.top == CORE else f"{row.core} in {row.top}"),
                words(row.goal),
                number(row.area_ge, row.origin),
                number(row.flip_flops, row.origin),
                number(100 * row.flip_flops_share, row.origin),
                number(row.clock_gates, row.origin),
                number(row.inside_ns, row.origin, 2),
                number(row.frequency_hz / 1e6, row.origin),
                number(row.throughput_bit_s / 1e6, row.origin),
                NOTHING
                if row.beyond_limits is None
                else number(row.beyond_limits, row.origin),
                words("other sources" if row.identity in stale else ""),
            )
        )
        for row in rows_of.all
        if isinstance(row, Synthesis)
    ]
    return Table(
        slug=f"chip-all-{rows_of.library}",
        title=f"All netlists: {rows_of.any.process}",
        columns=(
            label("core"),
            label("netlist for"),
            Column("area", "GE"),
            Column("flip-flops"),
            Column("their share", "%"),
            Column("clock gates"),
            Column("path", "ns"),
            Column("clock", "MHz"),
            Column("throughput", "Mbit/s"),
            Column("pins beyond limits"),
            label("stale"),
        ),
        rows=rows,
        caption=rows_of.any.source,
        groups=True,
        folded=True,
    )


def parts(rows_of: Rows) -> Table:
    """Return what parts of the cores draw at 10 MHz."""
    stale = {row.identity for row in results.stale(rows_of.all)}
    found = [row for row in rows_of.all if isinstance(row, Power)]
    rows = [
        Row(
            (
                words(row.core),
                *(
                    significant(row.part_w(10e6, part) * 1e6, row.origin)
                    for part in power.PARTS
                ),
                significant(row.leakage_w * 1e6, row.origin),
                significant(row.power_w(10e6, row.start_j) * 1e6, row.origin),
                significant(row.power_w(10e6, row.run_j) * 1e6, row.origin),
                significant(row.energy_of_bit_j(10e6) * 1e12, row.origin),
                words("other sources" if row.identity in stale else ""),
            )
        )
        for row in found
    ]
    return Table(
        slug=f"chip-power-{rows_of.library}",
        title=f"Power at 10 MHz by parts: {rows_of.any.process}",
        columns=(
            label("core"),
            *(Column(part, "µW") for part in power.PARTS),
            Column("leakage", "µW"),
            Column("starting", "µW"),
            Column("running", "µW"),
            Column("a bit", "pJ"),
            label("stale"),
        ),
        rows=rows,
        caption="Parts while running, leakage included. A gate is of the part whose"
        " flip-flops alone it leads to, or shared.",
        folded=True,
    )


def plots(libraries: Sequence[Rows]) -> list[Plot]:
    """Return area, throughput and energy of a bit by N."""
    bit_pj = 1e3 / (8 * _BLOCK_BYTES * _BLOCKS)
    area = [_note(HIGH_SPEED, "area_ge", "note, 65 nm"), *_lines(libraries, _area_of)]
    speed = [
        _note(HIGH_SPEED, "throughput_gbit_s", "note, 65 nm"),
        *_lines(libraries, _throughput_of),
    ]
    energy = [
        _note(LOW_POWER, "energy_1000_blocks_nj", "note, 65 nm", bit_pj),
        *_lines(libraries, _energy_of),
    ]
    return [
        _plot(
            "area",
            "Area by N, smallest netlist",
            "Dashed: published, version 1.",
            Axis("area", "GE"),
            area,
        ),
        _plot(
            "throughput",
            "Throughput by N, fastest netlist",
            "Dashed: published.",
            Axis("throughput", "Gbit/s"),
            speed,
        ),
        _plot(
            "energy",
            "Energy of a bit by N, variant with the least",
            "Dashed: published, 1000 blocks at 100 kHz. Ours at 10 MHz.",
            Axis("energy", "pJ a bit"),
            energy,
        ),
    ]


def _plot(
    name: str, title: str, caption: str, up: Axis, series: Sequence[Series]
) -> Plot:
    chart = Chart(title, Axis("N", "bit a clock", ticks=WIDTHS), up, series)
    return Plot(f"chip-{name}-by-n", title, [chart], caption)


def _note(file: str, column: str, name: str, factor: float = 1) -> Series:
    """Return figures of the note as a line."""
    found = [(n, record(file, n)) for n in WIDTHS]
    kept = [(n, row.value(column) * factor) for n, row in found if row is not None]
    widths, values = [n for n, _ in kept], [value for _, value in kept]
    return charts.line(name, widths, values, 0, Origin.PUBLISHED, file)


def _lines(
    libraries: Sequence[Rows], figure_of: Callable[[Rows, int], Figure | None]
) -> Iterator[Series]:
    """Yield a line for each library that has such figures."""
    for colour, rows_of in enumerate(libraries, 1):
        found = [(n, figure_of(rows_of, n)) for n in WIDTHS]
        points = [charts.point_of(n, each) for n, each in found if each is not None]
        if points:
            yield charts.Series(rows_of.any.process, points, colour=colour)


def _area_of(rows_of: Rows, n: int) -> Figure | None:
    row = rows_of.smallest(n)
    if row is None:
        return None
    return Figure(row.area_ge, "GE", row.origin, _about(row))


def _throughput_of(rows_of: Rows, n: int) -> Figure | None:
    row = rows_of.fastest(n)
    if row is None:
        return None
    return Figure(row.throughput_bit_s / 1e9, "Gbit/s", row.origin, _about(row))


def _energy_of(rows_of: Rows, n: int) -> Figure | None:
    row = rows_of.thriftiest(n)
    if row is None:
        return None
    return Figure(row.energy_of_bit_j(10e6) * 1e12, "pJ", row.origin, _about(row))
