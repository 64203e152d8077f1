# SPDX-License-Identifier: Apache-2.0
"""CSV that the Power Profiler of nRF Connect exports from a Power Profiler Kit II.

The head is ``Timestamp(ms),Current(uA)``, then nothing, ``D0-D7`` as one column, or
``D0`` to ``D7``, a column each.
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
    return head.lower().lstrip(b"\xef\xbb\xbf").startswith(b"timestamp(")


def _blocks(reading: Reading) -> Iterator[Block]:
    head = first_head(reading)
    time, _, current = head.names.partition(head.delimiter())
    units = (unit_in(time, SECONDS, 1e-3), unit_in(current, AMPERES, 1e-6))
    yield from blocks_of(reading, layout_of(head, "timestamp", "current", units))


FORMAT = Format("ppk2-csv", "CSV of a Power Profiler Kit II", _fits, _blocks)
