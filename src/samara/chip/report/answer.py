# SPDX-License-Identifier: Apache-2.0
"""Which core to take, for each library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.chip.design import WIDTHS
from samara.records.parts import Advice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.report.rows import Rows

_CLOCK_HZ = 10e6


def answers(libraries: Sequence[Rows]) -> Iterator[Advice]:
    """Yield for each library the core with the least area, time and energy."""
    for rows_of in libraries:
        if sentence := " ".join(_sentences(rows_of)):
            yield Advice(f"In {rows_of.any.process}: {sentence}")


def _sentences(rows_of: Rows) -> Iterator[str]:
    small = [found for n in WIDTHS if (found := rows_of.smallest(n))]
    if small:
        least = min(small, key=lambda each: each.area_ge)
        area = f"{least.area_ge:,.0f} gate equivalents"
        yield f"for the least area, take {least.core}: {area}."
    quick = [found for n in WIDTHS if (found := rows_of.fastest(n))]
    if quick:
        most = max(quick, key=lambda each: each.throughput_bit_s)
        speed = f"{most.throughput_bit_s / 1e9:.3g} Gbit/s"
        yield f"For speed, take {most.core}: {speed}."
    thrifty = [each for n in WIDTHS if (each := rows_of.thriftiest(n))]
    if thrifty:
        best = min(thrifty, key=lambda core: core.energy_of_bit_j(_CLOCK_HZ))
        energy = f"{best.energy_of_bit_j(_CLOCK_HZ) * 1e12:.3g} pJ a bit"
        clock = f"{_CLOCK_HZ / 1e6:g} MHz"
        yield f"For the least energy at {clock}, take {best.core}: {energy}."
