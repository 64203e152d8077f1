# SPDX-License-Identifier: Apache-2.0
"""How long a message is on the air, and how many of them an hour allows.

Bit rates, bytes of frames and duty cycles are settings: of the user, the standard or
the law. What varies is how long radios need to turn around, which medium accesses
that repeat frames wait for, and what modems put around packets, which their makers do
not tell. With none of that in it, an air time is one value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.ranges import Range, quantiles

if TYPE_CHECKING:
    from samara.energy.catalogue import Band
    from samara.energy.node import Node
    from samara.energy.quantity import Value

_HOUR_S = 3600.0
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Airtime:
    """Time that one message occupies a band; numbers, or draws."""

    frame_s: Value
    """One frame on the air, of several the first."""
    transmit_s: Value
    """The transmitter, with all that the medium access sends beside and again."""
    messages_per_hour: Value
    """As many as the band's duty cycle allows."""

    def ranges(self) -> dict[str, Range]:
        """Return the quantiles of each, by its name."""
        return {
            "frame": quantiles(self.frame_s),
            "transmit": quantiles(self.transmit_s),
            "messages_per_hour": quantiles(self.messages_per_hour),
        }


def airtime(node: Node, band: Band) -> Airtime:
    """Return what sending one message takes of a band.

    Acknowledgements that the node sends for others are not in it, nor is what it
    sends while it waits, nor messages that are lost and sent again. Where the time of
    the receiver's next wake-up decides, it is the mean over that.
    """
    transmit_s = node.times(node.mac.send).transmit_s
    allowed_s = band.duty_cycle.value * _HOUR_S
    return Airtime(node.mac.air_s(node.hop()), transmit_s, allowed_s / transmit_s)


def is_one_value(found: Range) -> bool:
    """Return whether a range is one value, since nothing in it varies.

    >>> is_one_value(Range(2.0, 2.0, 2.0)), is_one_value(Range(1.9, 2.0, 2.1))
    (True, False)
    """
    return bool(np.isclose(found.low, found.high, rtol=_SAME, atol=0.0))
