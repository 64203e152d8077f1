# SPDX-License-Identifier: Apache-2.0
"""What a message costs on a core: exact clocks, and energy of its simulated netlist.

Energy is that of the gates: each clock before the first word at the row's energy of
starting, each later one at that of running, and leakage for all of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.chip import clocks

if TYPE_CHECKING:
    from samara.chip.results import Power


@dataclass(frozen=True, slots=True)
class MessageEnergy:
    """What one message takes."""

    start_clocks: int
    """Clocks before the first word."""
    run_clocks: int
    """All others: words, tag, end."""
    seconds: float
    start_j: float
    run_j: float
    leakage_j: float

    @property
    def clocks(self) -> int:
        """All clocks."""
        return self.start_clocks + self.run_clocks

    @property
    def energy_j(self) -> float:
        """All energy, in joules."""
        return self.start_j + self.run_j + self.leakage_j


def on_message(
    row: Power,
    hertz: float,
    message_bytes: int,
    ad_bytes: int = 0,
    *,
    opens: bool = False,
) -> MessageEnergy:
    """Return what it takes to seal or to open a message, if nothing stalls.

    Raises
    ------
    samara.errors.MisuseError
        If the core makes a keystream.
    """
    design = row.design
    return _spent(
        row, hertz, clocks.message_clocks(design, ad_bytes, message_bytes, opens=opens)
    )


def on_keystream(row: Power, hertz: float, bits: int) -> MessageEnergy:
    """Return what so many bits of keystream take, if nothing stalls.

    Raises
    ------
    samara.errors.MisuseError
        If the core authenticates.
    """
    return _spent(row, hertz, clocks.keystream_clocks(row.design, bits))


def _spent(row: Power, hertz: float, total: int) -> MessageEnergy:
    start = clocks.start_up_clocks(row.design)
    seconds = total / hertz
    return MessageEnergy(
        start,
        total - start,
        seconds,
        start * row.start_j,
        (total - start) * row.run_j,
        row.leakage_w * seconds,
    )
