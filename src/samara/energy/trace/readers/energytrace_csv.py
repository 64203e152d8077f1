# SPDX-License-Identifier: Apache-2.0
"""CSV that EnergyTrace of Code Composer Studio exports: ``Time (ns),Current (nA),...``.

Its samples are not evenly spaced. Columns of others (energy, voltage) may follow. A
column without a unit is in nanoseconds or nanoampere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.trace.blocks import Format
from samara.energy.trace.columns import (
    AMPERES,
    SECONDS,
    blocks_of,
    first_head,
    head_of,
    layout_of,
    unit_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.trace.blocks import Block, Reading


def _fits(head: bytes) -> bool:
    found = head_of(head)
    if found is None:
        return False
    names = found.names.lower().lstrip('" ')
    return names.startswith("time") and "current" in names and "energy" in names


def _blocks(reading: Reading) -> Iterator[Block]:
    head = first_head(reading)
    names = [each.strip(' "').lower() for each in head.names.split(head.delimiter())]
    current = next((each for each in names if "current" in each), "current")
    units = (unit_in(names[0], SECONDS, 1e-9), unit_in(current, AMPERES, 1e-9))
    yield from blocks_of(reading, layout_of(head, "time", current, units))


FORMAT = Format("energytrace-csv", "CSV of EnergyTrace", _fits, _blocks)
