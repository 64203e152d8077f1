# SPDX-License-Identifier: Apache-2.0
"""How long a message is on the air, and how many of them an hour allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samara.energy.catalogue import Band
    from samara.energy.node import Node

_HOUR_S = 3600.0


@dataclass(frozen=True, slots=True)
class Airtime:
    """What sending one message takes of a band."""

    frame_s: float
    """One frame on the air."""
    transmit_s: float
    """The transmitter, with all that the medium access sends beside and again."""
    messages_per_hour: float
    """As many as the band's duty cycle allows."""


def airtime(node: Node, band: Band) -> Airtime:
    """Return what sending one message takes of a band.

    Acknowledgements that the node sends for others are not in it, nor is what it
    sends while it waits.
    """
    hop = node.hop()
    transmit_s = float(node.mac.send(hop).transmit_s)
    allowed_s = band.duty_cycle.value * _HOUR_S
    return Airtime(float(hop.frame_s), transmit_s, allowed_s / transmit_s)
