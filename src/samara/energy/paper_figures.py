# SPDX-License-Identifier: Apache-2.0
"""The figures of Altolini et al. beside ours.

The paper is "Low Power Link Layer Security for Internet of Things: Implementation and
Performance Analysis"; its figures are in published/ (ieee802154_*.csv). Ours are:

- networks (Figs. 6 and 7) from the preset `paper` of `samara.energy.assumptions`;
- times, cycles and memory (Tables V and VI, Figs. 8 and 9) from the bench, on an
  AVR with the same AES on the chip or in software, compiled for size as theirs. The
  times and energies are those of our cycles at the paper's clock and power.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.bench import published
from samara.bench.results import Operation
from samara.energy import assumptions, topology
from samara.energy.cryptography import results
from samara.energy.network_ranges import Networks, networks
from samara.energy.steps import result_of
from samara.energy.supply import YEAR_S
from samara.figure import Figure, Origin
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.bench.results import Result
DEVICE = "atmega128rfa1"
_SUITE = "aes128-ccm-16-phases"
OPT = "Os"
IMPLEMENTATIONS = {"hw": "engine", "sw": "portable"}
"""The paper's columns, and the bench's name of the same."""
NAMES = {"hw": "hardware", "sw": "software"}
PAYLOAD_BYTES, HEADER_BYTES = 95, 14
"""Of Table V: payload, and associated data."""
_CLOCK_HZ = 32e6
_ACTIVE_W = 79.2e-3
"""The paper's energies over its times."""
_THEIRS = "Altolini et al."
MONTH_S = YEAR_S / 12


def surfaces_of(security: str) -> Networks:
    """Return what the preset `paper` tells for one kind of security.

    Parameters
    ----------
    security
        `hardware` (Fig. 6) or `software` (Fig. 7).

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such security.
    """
    return result_of(
        networks(
            assumptions.case(f"paper-{security}"),
            None,
            topology.chain,
            list(assumptions.PAPER_SIZES),
            assumptions.paper_intervals_s(),
        )
    )


NO_LINES = (
    "The contour lines of Figs. 6 and 7 are not compared: the paper was at hand as "
    "text alone, which has their captions and none of their lines. Compared is what "
    "its text states of them."
)
"""What the output says where it compares both figures."""
STATED_NODES, STATED_BELOW_S = (30, 50), 500.0
"""Where the paper states the most that software takes."""


@record_class
class PaperClaim(Record):
    """What the paper's text states of a figure that has contours, and ours."""

    figure: Annotated[int | None, Field("Number of the figure; `null`: both.")]
    name: Annotated[str, Field("What is stated.")]
    published: Annotated[Figure, Field("The paper's.")]
    ours: Annotated[Figure, Field("Ours.")]
    difference: Annotated[float, Field("Ours less the paper's, in their unit.")]
    from_: Annotated[str, Field("What was compared: `text`, not the contours.")]


def claims(surfaces: Mapping[int, Networks]) -> list[PaperClaim]:
    """Return what the text states of Figs. 6 and 7, beside ours.

    Parameters
    ----------
    surfaces
        `surfaces_of`, by the number of the figure.
    """
    software = surfaces[FIG_SOFTWARE]
    sizes = np.array(software.sizes)
    dense = (STATED_NODES[0] <= sizes) & (sizes <= STATED_NODES[1])
    often = software.intervals_s < STATED_BELOW_S
    lifetimes_s = np.concatenate([each.stated_s.ravel() for each in surfaces.values()])
    hardware = surfaces[FIG_HARDWARE].stated_taken
    where = f"{STATED_NODES[0]} to {STATED_NODES[1]} nodes below {STATED_BELOW_S:g} s"
    rows = (
        (FIG_HARDWARE, "most that hardware takes", "lifetime_reduction_hardware_max",
         0.01, "1", hardware.max()),
        (FIG_SOFTWARE, f"most that software takes, {where}",
         "lifetime_reduction_software_max", 0.01, "1",
         software.stated_taken[np.ix_(dense, often)].max()),
        (None, "shortest life", "lifetime_span_low", MONTH_S, "s",
         lifetimes_s.min()),
        (None, "longest life", "lifetime_span_high", MONTH_S, "s",
         lifetimes_s.max()),
    )  # fmt: skip
    return [
        _claim(
            figure,
            name,
            Figure(stated(quantity) * scale, unit, Origin.PUBLISHED, _THEIRS),
            Figure(float(ours), unit, Origin.ESTIMATED, "the preset paper"),
        )
        for figure, name, quantity, scale, unit, ours in rows
    ]


def _claim(
    figure: int | None, name: str, published: Figure, ours: Figure
) -> PaperClaim:
    difference = ours.value - published.value
    return PaperClaim(figure, name, published, ours, difference, "text")


FIG_HARDWARE, FIG_SOFTWARE = 6, 7


@record_class
class PaperFigure(Record):
    """One figure of the paper's tables, and ours."""

    table: Annotated[str, Field("`Table V` or `Table VI`.")]
    name: Annotated[str, Field("What the figure is of.")]
    published: Annotated[Figure, Field("The paper's.")]
    ours: Annotated[Figure, Field("Ours.")]
    ratio: Annotated[float, Field("How many times ours the paper's is.")]


def figures() -> list[PaperFigure]:
    """Return Tables V and VI beside ours.

    Optimised code only: the bench compiles nothing without optimisation.
    """
    return [*_table_5(), *_table_6()]


def _table_5() -> Iterator[PaperFigure]:
    for short in IMPLEMENTATIONS:
        result = _result(short, PAYLOAD_BYTES)
        for record in published.table("ieee802154_ccm.csv"):
            operation = OPERATIONS[record.text("operation")]
            cycles = result.cycles_of(operation)
            name = f"{record.text('operation')}, {NAMES[short]}"
            for column, scale, unit, ours in (
                ("ticks", 1.0, "cycle", cycles),
                ("ms", 1e-3, "s", cycles / _CLOCK_HZ),
                ("uj", 1e-6, "J", cycles / _CLOCK_HZ * _ACTIVE_W),
            ):
                yield _figure(
                    "Table V",
                    name,
                    _published(record, f"{short}_opt_{column}", scale, unit),
                    _ours(ours, unit, result),
                )


OPERATIONS = {
    "CCM* forward": Operation.SEAL,
    "CCM* inverse": Operation.OPEN,
    "CCM-1 input transformation": Operation.INPUT_TRANSFORMATION,
    "CCM-2 authentication": Operation.AUTHENTICATION,
    "CCM-3 encryption": Operation.ENCRYPTION,
}
"""Rows of Table V, and the bench's names of the same."""


def _table_6() -> Iterator[PaperFigure]:
    by_name = rows_by("ieee802154_memory.csv", "implementation")
    for short, name in (("hw", "hardware"), ("sw", "software")):
        result = _result(short, PAYLOAD_BYTES)
        record = by_name[f"{name} optimised"]
        for column, what, ours in (
            ("rom_bytes", "ROM", result.code_bytes),
            ("ram_bytes", "RAM", result.static_ram_bytes),
        ):
            yield _figure(
                "Table VI",
                f"{what}, {NAMES[short]}",
                _published(record, column, 1.0, "byte"),
                _ours(float(ours or 0), "byte", result),
            )


def _figure(table: str, name: str, published: Figure, ours: Figure) -> PaperFigure:
    ratio = published.value / ours.value
    return PaperFigure(table, name, published, ours, ratio)


def _published(
    record: published.Record, column: str, scale: float, unit: str
) -> Figure:
    return Figure(record.value(column) * scale, unit, Origin.PUBLISHED, _THEIRS)


def _ours(value: float, unit: str, result: Result) -> Figure:
    scaled = unit in ("s", "J")
    how = f" at {_CLOCK_HZ / 1e6:g} MHz" if scaled else ""
    how += f" and {_ACTIVE_W * 1e3:g} mW, the paper's" if unit == "J" else ""
    return Figure(
        value,
        unit,
        Origin.ESTIMATED if scaled else result.origin,
        f"the bench on {DEVICE}: {result.implementation}, -{result.opt}{how}",
    )


def stated(name: str) -> float:
    """Return a figure that stands in the text of the paper."""
    return rows_by("ieee802154_other.csv", "quantity")[name].value("value")


def rows_by(file: str, column: str) -> dict[str, published.Record]:
    """Return the rows of a table of the paper, by what a column says."""
    return {record.text(column): record for record in published.table(file)}


def _results(short: str) -> dict[int, Result]:
    """Return what the bench has with the paper's header, by bytes of payload."""
    return {
        each.message_bytes: each
        for each in results(DEVICE, _SUITE)
        if (each.implementation, each.opt) == (IMPLEMENTATIONS[short], OPT)
        and each.ad_bytes == HEADER_BYTES
    }


def _result(short: str, payload_bytes: int) -> Result:
    return _results(short)[payload_bytes]


@dataclass(frozen=True, slots=True)
class Line:
    """Time by payload, as in Figs. 8 and 9, beside what the paper has at 95 bytes."""

    name: str
    short: str
    """`hw` or `sw`."""
    payload_bytes: Sequence[int]
    ours_s: Sequence[float]
    published_s: Mapping[str, float]
    """By the name of the paper's curve."""


def lines(figure: int) -> list[Line]:
    """Return the curves of Fig. 8 or 9.

    Parameters
    ----------
    figure
        8, CCM* whole and in parts, or 9, CCM* whole with all four implementations.
    """
    rows = list(OPERATIONS) if figure == _FIG_8 else ["CCM* forward"]
    left_out = {"CCM* inverse", "CCM-1 input transformation"}
    return [
        _line(short, row, figure)
        for short in IMPLEMENTATIONS
        for row in rows
        if row not in left_out
    ]


_FIG_8 = 8


def _line(short: str, row: str, figure: int) -> Line:
    record = rows_by("ieee802154_ccm.csv", "operation")[row]
    # Fig. 8 has the best and the worst only.
    best_and_worst = {"hw": ("opt",), "sw": ("unopt",)}
    kinds = best_and_worst[short] if figure == _FIG_8 else ("opt", "unopt")
    measured = {
        size: result.cycles_of(OPERATIONS[row]) / _CLOCK_HZ
        for size, result in sorted(_results(short).items())
        if size <= PAYLOAD_BYTES
    }
    return Line(
        f"{row}, {NAMES[short]}",
        short,
        list(measured),
        list(measured.values()),
        {kind: record.value(f"{short}_{kind}_ms") * 1e-3 for kind in kinds},
    )
