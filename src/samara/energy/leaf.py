# SPDX-License-Identifier: Apache-2.0
"""Nodes that send to a receiver that listens at all times, and pass on nothing.

The receiver is on mains power: a gateway, a parent, a telephone. The energies are those
of the node alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samara.energy.medium_access import MediumAccess
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.medium_access import Hop
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class Leaf(MediumAccess):
    """A medium access whose nodes sleep while they have nothing to send."""

    links: ClassVar[tuple[str, ...]] = ("ieee802154",)
    relays: ClassVar[bool] = False

    def overhear(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - nothing
        """Sleep."""
        return RadioTimes()

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send the frame to the receiver, which sends it on."""
        return self.send(hop)

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - nothing
        """Sleep."""
        return RadioTimes()

    def latency_s(self, hop: Hop) -> Value:
        """Return the time to the receiver: the frame's own."""
        return self.air_s(hop)
