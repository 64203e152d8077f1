# SPDX-License-Identifier: Apache-2.0
"""CSV that Otii exports from an Otii Arc or Ace: ``Timestamp, Main current (A), ...``.

Times are in seconds. Columns of others (voltage, energy, GPIO) may follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.trace.blocks import Format
from samara.energy.trace.columns import (
    AMPERES,
    SECONDS,
    blocks_of,
    first_head,
    layout_of,
    unit_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.trace.blocks import Block, Reading


def _fits(head: bytes) -> bool:
    first = head.partition(b"\n")[0].lower()
    return b"timestamp" in first and b"main current" in first


def _blocks(reading: Reading) -> Iterator[Block]:
    head = first_head(reading)
    names = [each.strip(' "').lower() for each in head.names.split(head.delimiter())]
    current = next((each for each in names if "current" in each), "main current")
    time = next((each for each in names if "timestamp" in each), "timestamp")
    units = (unit_in(time, SECONDS, 1.0), unit_in(current, AMPERES, 1.0))
    yield from blocks_of(reading, layout_of(head, time, current, units))


FORMAT = Format("otii-csv", "CSV of Otii", _fits, _blocks)
