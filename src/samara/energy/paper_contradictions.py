# SPDX-License-Identifier: Apache-2.0
"""What in the paper of Altolini et al. contradicts what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.bench.results import Operation
from samara.energy import assumptions
from samara.energy.cryptography import results
from samara.energy.paper_figures import (
    DEVICE,
    HEADER_BYTES,
    IMPLEMENTATIONS,
    MONTH_S,
    OPERATIONS,
    OPT,
    PAYLOAD_BYTES,
    rows_by,
    stated,
)
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Callable

_BLOCK_BYTES = 16
_HOUR_S = 3600.0


@record_class
class Contradiction(Record):
    """A sentence of the paper, and what its own figures say instead."""

    claim: Annotated[str, Field("What the paper claims.")]
    where: Annotated[str, Field("Where in the paper.")]
    stated: Annotated[str, Field("What it states there.")]
    found: Annotated[str, Field("What follows from its own figures.")]


def contradictions() -> list[Contradiction]:
    """Return what in the paper contradicts what; all numbers are computed."""
    return [check() for check in _CHECKS]


def _ccm(row: str, column: str) -> float:
    return rows_by("ieee802154_ccm.csv", "operation")[row].value(column)


def _frame_j() -> float:
    return stated("packet_transmission_energy") * 1e-6


def _of_a_packet() -> Contradiction:
    train_j = float(assumptions.paper_node().send().total)
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
    months = stated("lifetime_span_low")
    lost = [months * MONTH_S / _HOUR_S * share for share in (0.01, 0.02)]
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
        for name, record in rows_by("ieee802154_memory.csv", "implementation").items()
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
        rows_by("ieee802154_aes_block.csv", "implementation")["software"].value(
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
    parts = [row for row in OPERATIONS if not row.startswith("CCM* ")]
    sum_ms = sum(_ccm(row, "sw_opt_ms") for row in parts)
    whole_ms = _ccm("CCM* forward", "sw_opt_ms")
    return Contradiction(
        "CCM* in software includes its parts, nonce and associated data",
        "section IV-A, Table V",
        f"{whole_ms:.2f} ms",
        f"its three parts alone are {sum_ms:.3f} ms",
    )


def _of_aes() -> Contradiction:
    ticks = rows_by("ieee802154_aes_block.csv", "implementation")["software"].value(
        "optimised_ticks"
    )
    (own,) = [
        each.cycles_of(Operation.ENCRYPT)
        for each in results(DEVICE, "aes128")
        if (each.implementation, each.opt) == (IMPLEMENTATIONS["sw"], OPT)
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
