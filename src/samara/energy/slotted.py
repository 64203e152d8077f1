# SPDX-License-Identifier: Apache-2.0
"""Nodes with the same time, which send and listen in cells of slotframes.

| | time |
|---|---|
| send | start the radio, the frame, half of ``ack_wait_s``, the acknowledgement |
| receive | listen for half of ``frame_wait_s``, the frame, then acknowledge |
| overhear | nothing: a cell is listened to by those that it is for |
| broadcast | the frame, in a shared cell |

A receiver listens from ``frame_wait_s / 2`` before the frame is due until as long after
it, since clocks differ. "Idle" has the whole of that for every cell, with the start of
the radio; in a cell with a frame, received or broadcast, it is spared.

Acknowledgements are enhanced ones: frame control 2, sequence number 1, PAN 2, short
address 2, time correction 4, check sequence 2. Where frames are secured, they are too.

A frame and its acknowledgement have to fit into a slot.

Source: IEEE 802.15.4-2015, 6.5.4 and table 8-96 (macTsRxWait 2200 µs, macTsAckWait
400 µs, macTsTxOffset 2120 µs, slots of 10 ms).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from samara.energy.medium_access import MediumAccess, acknowledged, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.medium_access import Hop
    from samara.energy.quantity import Value

_ACK_DELAY_S = 1e-3
"""From the end of a frame to its acknowledgement: macTsTxAckDelay."""


@dataclass(frozen=True, slots=True)
class Slotted(MediumAccess):
    """What any cell takes."""

    links: ClassVar[tuple[str, ...]] = ("ieee802154",)
    shares_medium: ClassVar[bool] = False
    ack_bytes: ClassVar[int] = 13
    secures_acks: ClassVar[bool] = True

    slot_s: Value = setting(0.010, "How long a slot is.")
    frame_wait_s: Value = setting(
        2.2e-3, "How long a receiver listens for a frame that does not come."
    )
    ack_wait_s: Value = setting(
        0.4e-3, "How long a sender listens for an acknowledgement that does not come."
    )
    transmit_offset_s: Value = setting(
        2.12e-3, "Time from the beginning of a slot until the frame begins."
    )
    beacon_interval_s: Value = setting(
        16.0, "Time from one enhanced beacon to the next."
    )
    beacon_bytes: Value = setting(50, "Size of an enhanced beacon.")

    def send(self, hop: Hop) -> RadioTimes:
        """Send the frame, wait for the acknowledgement, receive it."""
        return RadioTimes(
            data_s=hop.frame_s,
            listen_s=self.ack_wait_s / 2,
            receive_s=hop.ack_s,
            starts=1,
            copies=1,
        )

    def receive(self, hop: Hop) -> RadioTimes:
        """Wait for the frame, receive it, acknowledge it."""
        return acknowledged(self.receive_broadcast(hop), hop)

    def overhear(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - nothing
        """Sleep: it is in a cell of others."""
        return RadioTimes()

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send the frame in a shared cell, instead of listening in it."""
        return RadioTimes(data_s=hop.frame_s, spared_s=self.frame_wait_s, copies=1)

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Wait for the frame, receive it."""
        return RadioTimes(
            listen_s=self.frame_wait_s / 2,
            receive_s=hop.frame_s,
            spared_s=self.frame_wait_s,
        )

    def listening(self, hop: Hop, cells_per_s: Value) -> RadioTimes:
        """Listen in so many cells in which somebody may send; send beacons."""
        beacon_s = hop.radio.air_s(self.beacon_bytes)
        return RadioTimes(
            listen_s=cells_per_s * self.frame_wait_s,
            control_s=beacon_s / self.beacon_interval_s,
            starts=cells_per_s,
        )

    def beacons_of_one(self, hop: Hop) -> RadioTimes:
        """Return what the beacons of one neighbour take, in each second."""
        heard = replace(hop, frame_bytes=self.beacon_bytes)
        return self.receive_broadcast(heard) * (1 / self.beacon_interval_s)

    def latency_s(self, hop: Hop) -> Value:
        """Return half the time from a cell to the next, and the frame in its slot."""
        return self.service_s(hop) / 2 + self.transmit_offset_s + hop.frame_s

    def slot_share(self, hop: Hop) -> Value:
        """Return the share that is over when the acknowledgement is there."""
        needed_s = self.transmit_offset_s + hop.frame_s + _ACK_DELAY_S + hop.ack_s
        return needed_s / self.slot_s
