# SPDX-License-Identifier: Apache-2.0
"""The figures of Altolini et al. beside ours, and what in the paper cannot be.

The paper is "Low Power Link Layer Security for Internet of Things: Implementation and
Performance Analysis"; its figures are in published/ (ieee802154_*.csv). Ours are:

- networks (Figs. 6 and 7) from the preset `paper` of `samara.energy.presets`;
- times, cycles and memory (Tables V and VI, Figs. 8 and 9) from the bench, on an
  AVR with the same AES on the chip or in software, compiled for size as theirs. The
  times and energies are those of our cycles at the paper's clock and power.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.bench import published
from samara.bench.results import Operation
from samara.energy import presets, topology
from samara.energy.cryptography import results
from samara.energy.network_ranges import Networks, networks
from samara.energy.steps import result_of
from samara.energy.supply import YEAR_S
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from samara.bench.published import Record
    from samara.bench.results import Result
DEVICE = "atmega128rfa1"
_SUITE = "aes128-ccm-16-phases"
_OPT = "Os"
IMPLEMENTATIONS = {"hw": "engine", "sw": "portable"}
"""The paper's columns, and the bench's name of the same."""
NAMES = {"hw": "hardware", "sw": "software"}
PAYLOAD_BYTES, HEADER_BYTES = 95, 14
"""Of Table V: payload, and associated data."""
_CLOCK_HZ = 32e6
_ACTIVE_W = 79.2e-3
"""The paper's energies over its times."""
_BLOCK_BYTES = 16
_HOUR_S = 3600.0
_THEIRS = "Altolini et al."
_MONTH_S = YEAR_S / 12


def surfaces(security: str) -> Networks:
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
            presets.case(f"paper-{security}"),
            None,
            topology.chain,
            list(presets.PAPER_SIZES),
            presets.paper_intervals_s(),
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


@dataclass(frozen=True, slots=True)
class Stated:
    """What the paper's text states of a figure that has contours, and ours."""

    figure: int | None
    """None for both."""
    name: str
    published: Figure
    ours: Figure

    @property
    def difference(self) -> float:
        """Ours less the paper's, in their unit."""
        return self.ours.value - self.published.value


def stated(told: Mapping[int, Networks]) -> list[Stated]:
    """Return what the text states of Figs. 6 and 7, beside ours.

    Parameters
    ----------
    told
        `surfaces`, by the number of the figure.
    """
    software = told[_FIG_SOFTWARE]
    sizes = np.array(software.sizes)
    dense = (STATED_NODES[0] <= sizes) & (sizes <= STATED_NODES[1])
    often = software.intervals_s < STATED_BELOW_S
    lives_s = np.concatenate([each.stated_s.ravel() for each in told.values()])
    hardware = told[_FIG_HARDWARE].stated_taken
    where = f"{STATED_NODES[0]} to {STATED_NODES[1]} nodes below {STATED_BELOW_S:g} s"
    rows = (
        (_FIG_HARDWARE, "most that hardware takes", "lifetime_reduction_hardware_max",
         0.01, "1", hardware.max()),
        (_FIG_SOFTWARE, f"most that software takes, {where}",
         "lifetime_reduction_software_max", 0.01, "1",
         software.stated_taken[np.ix_(dense, often)].max()),
        (None, "shortest life", "lifetime_span_low", _MONTH_S, "s",
         lives_s.min()),
        (None, "longest life", "lifetime_span_high", _MONTH_S, "s",
         lives_s.max()),
    )  # fmt: skip
    return [
        Stated(
            figure,
            name,
            Figure(_other(quantity) * scale, unit, Origin.PUBLISHED, _THEIRS),
            Figure(float(ours), unit, Origin.ESTIMATED, "the preset paper"),
        )
        for figure, name, quantity, scale, unit, ours in rows
    ]


_FIG_HARDWARE, _FIG_SOFTWARE = 6, 7


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of the paper, and ours."""

    table: str
    name: str
    published: Figure
    ours: Figure

    @property
    def ratio(self) -> float:
        """How many times ours the paper's is."""
        return self.published.value / self.ours.value


def compared() -> list[Compared]:
    """Return Tables V and VI beside ours.

    Optimised code only: the bench compiles nothing without optimisation.
    """
    return [*_table_5(), *_table_6()]


def _table_5() -> Iterator[Compared]:
    for short in IMPLEMENTATIONS:
        result = _result(short, PAYLOAD_BYTES)
        for record in published.table("ieee802154_ccm.csv"):
            operation = _OPERATIONS[record.text("operation")]
            cycles = result.cycles_of(operation)
            name = f"{record.text('operation')}, {NAMES[short]}"
            for column, scale, unit, ours in (
                ("ticks", 1.0, "cycle", cycles),
                ("ms", 1e-3, "s", cycles / _CLOCK_HZ),
                ("uj", 1e-6, "J", cycles / _CLOCK_HZ * _ACTIVE_W),
            ):
                yield Compared(
                    "Table V",
                    name,
                    _published(record, f"{short}_opt_{column}", scale, unit),
                    _ours(ours, unit, result),
                )


_OPERATIONS = {
    "CCM* forward": Operation.SEAL,
    "CCM* inverse": Operation.OPEN,
    "CCM-1 input transformation": Operation.INPUT_TRANSFORMATION,
    "CCM-2 authentication": Operation.AUTHENTICATION,
    "CCM-3 encryption": Operation.ENCRYPTION,
}
"""Rows of Table V, and the bench's names of the same."""


def _table_6() -> Iterator[Compared]:
    by_name = _by("ieee802154_memory.csv", "implementation")
    for short, name in (("hw", "hardware"), ("sw", "software")):
        result = _result(short, PAYLOAD_BYTES)
        record = by_name[f"{name} optimised"]
        for column, what, ours in (
            ("rom_bytes", "ROM", result.code_bytes),
            ("ram_bytes", "RAM", result.static_ram_bytes),
        ):
            yield Compared(
                "Table VI",
                f"{what}, {NAMES[short]}",
                _published(record, column, 1.0, "byte"),
                _ours(float(ours or 0), "byte", result),
            )


def _published(record: Record, column: str, scale: float, unit: str) -> Figure:
    return Figure(
        record.value(column) * scale, unit, Origin.PUBLISHED, "Altolini et al."
    )


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


def _by(file: str, column: str) -> dict[str, Record]:
    return {record.text(column): record for record in published.table(file)}


def _results(short: str) -> dict[int, Result]:
    """Return what the bench has with the paper's header, by bytes of payload."""
    return {
        each.message_bytes: each
        for each in results(DEVICE, _SUITE)
        if (each.implementation, each.opt) == (IMPLEMENTATIONS[short], _OPT)
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
    rows = list(_OPERATIONS) if figure == _FIG_8 else ["CCM* forward"]
    left_out = {"CCM* inverse", "CCM-1 input transformation"}
    return [
        _line(short, row, figure)
        for short in IMPLEMENTATIONS
        for row in rows
        if row not in left_out
    ]


_FIG_8 = 8


def _line(short: str, row: str, figure: int) -> Line:
    record = _by("ieee802154_ccm.csv", "operation")[row]
    # Fig. 8 has the best and the worst only.
    best_and_worst = {"hw": ("opt",), "sw": ("unopt",)}
    kinds = best_and_worst[short] if figure == _FIG_8 else ("opt", "unopt")
    measured = {
        size: result.cycles_of(_OPERATIONS[row]) / _CLOCK_HZ
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


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A sentence of the paper, and what its own figures say instead."""

    claim: str
    where: str
    stated: str
    found: str


def contradictions() -> list[Contradiction]:
    """Return what in the paper contradicts what; all numbers are computed."""
    return [check() for check in _CHECKS]


def _ccm(row: str, column: str) -> float:
    return _by("ieee802154_ccm.csv", "operation")[row].value(column)


def _other(name: str) -> float:
    return _by("ieee802154_other.csv", "quantity")[name].value("value")


def _frame_j() -> float:
    return _other("packet_transmission_energy") * 1e-6


def _of_a_packet() -> Contradiction:
    train_j = float(presets.paper_node().send().total)
    return Contradiction(
        "energy of a packet",
        "section IV-B",
        f"{_frame_j() * 1e6:.0f} µJ",
        f"that is one frame; the lives that are stated need {train_j * 1e3:.1f} mJ, a "
        "frame that is repeated for a whole sleep period",
    )


def _of_hours() -> Contradiction:
    low, high = (_ccm_hours(*each) for each in ((1, 5), (2, 8)))
    days = sorted(hours / 24 for hours in (low, high))
    months = _other("lifetime_span_low")
    lost = [months * _MONTH_S / _HOUR_S * share for share in (0.01, 0.02)]
    return Contradiction(
        "1-2 % of the life are 5 to 8 hours",
        "section IV-B",
        "lives of three months to two years",
        f"the life is then {days[0]:.0f} to {days[1]:.0f} days; of {months:.0f} "
        f"months, 1-2 % are {lost[0]:.0f} to {lost[1]:.0f} hours",
    )


def _ccm_hours(percent: float, hours: float) -> float:
    return hours / (percent / 100)


def _of_magnitudes() -> Contradiction:
    hardware, software = (
        _ccm("CCM* forward", f"{short}_opt_uj") * 1e-6 / _frame_j()
        for short in IMPLEMENTATIONS
    )
    return Contradiction(
        "security takes orders of magnitude less than the radio",
        "section IV-B",
        "orders of magnitude",
        f"of {_frame_j() * 1e6:.0f} µJ, CCM* takes {hardware * 100:.0f} % in hardware, "
        f"and {software:.2f} times as much in software",
    )


def _of_speed() -> Contradiction:
    ratios = {
        kind: _ccm("CCM* forward", f"sw_{kind}_ms")
        / _ccm("CCM* forward", f"hw_{kind}_ms")
        for kind in ("opt", "unopt")
    }
    return Contradiction(
        "hardware is two orders of magnitude faster",
        "abstract, section IV-B",
        "100 times",
        f"{ratios['opt']:.1f} times with optimised code, {ratios['unopt']:.1f} times "
        "without",
    )


def _of_memory() -> Contradiction:
    rom = {
        name: record.value("rom_bytes")
        for name, record in _by("ieee802154_memory.csv", "implementation").items()
    }
    optimised, unoptimised = (
        rom[f"software {kind}"] / rom[f"hardware {kind}"]
        for kind in ("optimised", "unoptimised")
    )
    return Contradiction(
        "hardware takes up to six times less ROM",
        "abstract, section IV-A",
        "6 times",
        f"{optimised:.1f} times with optimised code, {unoptimised:.1f} times without",
    )


def blocks_of_ccm(payload_bytes: int, header_bytes: int) -> int:
    """Return the calls of the block cipher that CCM* takes with a tag.

    RFC 3610: one for the first block, the associated data behind two bytes of length,
    the message twice, one for the tag.

    >>> blocks_of_ccm(95, 14)
    15
    """
    of_header = -(-(header_bytes + 2) // _BLOCK_BYTES) if header_bytes else 0
    of_payload = -(-payload_bytes // _BLOCK_BYTES)
    return 1 + of_header + 2 * of_payload + 1


def _of_blocks() -> Contradiction:
    block_ms = (
        _by("ieee802154_aes_block.csv", "implementation")["software"].value(
            "optimised_us"
        )
        / 1e3
    )
    parts_ms = sum(
        _ccm(row, "sw_opt_ms") for row in ("CCM-2 authentication", "CCM-3 encryption")
    )
    return Contradiction(
        "CCM* over 95 bytes in software",
        "Tables III and V",
        f"{parts_ms:.1f} ms for authentication and encryption, "
        f"{block_ms:.2f} ms a block",
        f"{parts_ms / block_ms:.1f} blocks; CCM* needs "
        f"{blocks_of_ccm(PAYLOAD_BYTES, HEADER_BYTES)}",
    )


def _of_parts() -> Contradiction:
    parts = [row for row in _OPERATIONS if not row.startswith("CCM* ")]
    sum_ms = sum(_ccm(row, "sw_opt_ms") for row in parts)
    whole_ms = _ccm("CCM* forward", "sw_opt_ms")
    return Contradiction(
        "CCM* in software includes its parts, nonce and associated data",
        "section IV-A, Table V",
        f"{whole_ms:.2f} ms",
        f"its three parts alone are {sum_ms:.3f} ms",
    )


def _of_aes() -> Contradiction:
    ticks = _by("ieee802154_aes_block.csv", "implementation")["software"].value(
        "optimised_ticks"
    )
    (own,) = [
        each.cycles_of(Operation.ENCRYPT)
        for each in results(DEVICE, "aes128")
        if (each.implementation, each.opt) == (IMPLEMENTATIONS["sw"], _OPT)
    ]
    return Contradiction(
        "security in software is to be avoided",
        "abstract, Table III",
        f"a block of {ticks:,.0f} cycles",
        f"plain C compiled for size takes {own:,} cycles on {DEVICE}: the 25 % are due "
        "to that implementation",
    )


_CHECKS: tuple[Callable[[], Contradiction], ...] = (
    _of_a_packet,
    _of_hours,
    _of_magnitudes,
    _of_speed,
    _of_memory,
    _of_blocks,
    _of_parts,
    _of_aes,
)
