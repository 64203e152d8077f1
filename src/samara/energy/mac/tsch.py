# SPDX-License-Identifier: Apache-2.0
"""TSCH: all nodes have the same time, and cells in it.

A slotframe has ``slots`` time slots of ``slot_s``. In it, a node has ``send_cells``
cells to send to its parent, ``receive_cells`` to receive from its children, and
``shared_cells`` in which all may send.

| | time |
|---|---|
| send | start the radio, the frame, half of ``ack_wait_s``, the acknowledgement |
| receive | listen for half of ``frame_wait_s``, the frame, then acknowledge |
| overhear | nothing: a cell is listened to by those that it is for |
| broadcast | the frame, in a shared cell |
| idle | listen for ``frame_wait_s`` in each receive and shared cell; a beacon |
| beacons | receive that of each neighbour in a shared cell |

A receiver listens from ``frame_wait_s / 2`` before the frame is due until as long after
it, since clocks differ. "Idle" has the whole of that for every cell, with the start of
the radio; in a cell with a frame, received or broadcast, it is spared.

Acknowledgements are enhanced ones: frame control 2, sequence number 1, PAN 2, short
address 2, time correction 4, check sequence 2. Where frames are secured, they are too.

A frame and its acknowledgement have to fit into a slot. What a parent's children send,
and what it sends itself, has to fit into the slots that are not shared: a radio is in
one at a time.

Source: IEEE 802.15.4-2015, 6.5.4 and table 8-96 (macTsRxWait 2200 µs, macTsAckWait
400 µs, macTsTxOffset 2120 µs, slots of 10 ms); RFC 8180 (a slotframe
of 101 slots in examples).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, MediumAccess, acknowledged, setting
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.medium_access import Around
    from samara.energy.quantity import Value

_ACK_DELAY_S = 1e-3
"""From the end of a frame to its acknowledgement: macTsTxAckDelay."""


@dataclass(frozen=True, slots=True)
class Tsch(MediumAccess):
    """A schedule says who sends, who listens, and when."""

    title = "TSCH: slots of a common schedule"
    standard = "IEEE 802.15.4, 6TiSCH"
    links = ("ieee802154",)
    shares_medium = False
    ack_bytes = 13
    secures_acks = True

    slots: Value = setting(101, "Slots of the slotframe.")
    slot_s: Value = setting(0.010, "How long a slot is.")
    send_cells: Value = setting(1, "Cells of a slotframe in which the node sends.")
    receive_cells: Value = setting(
        1, "Cells of a slotframe in which the node receives.", least=0
    )
    shared_cells: Value = setting(
        1, "Cells of a slotframe that all nodes share.", least=0
    )
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

    @property
    def slotframe_s(self) -> Value:
        """How long a slotframe is."""
        return self.slots * self.slot_s

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

    def idle(self, hop: Hop) -> RadioTimes:
        """Listen in each cell in which somebody may send; send beacons."""
        cells = (self.receive_cells + self.shared_cells) / self.slotframe_s
        beacon_s = hop.radio.air_s(self.beacon_bytes)
        return RadioTimes(
            listen_s=cells * self.frame_wait_s,
            control_s=beacon_s / self.beacon_interval_s,
            starts=cells,
        )

    def beacons(self, hop: Hop) -> RadioTimes:
        """Receive them in shared cells, in which all listen anyway."""
        heard = replace(hop, frame_bytes=self.beacon_bytes)
        return self.receive_broadcast(heard) * (1 / self.beacon_interval_s)

    def latency_s(self, hop: Hop) -> Value:
        """Return half the time from a cell to the next, and the frame in its slot."""
        return self.service_s(hop) / 2 + self.transmit_offset_s + hop.frame_s

    def service_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return the time from one cell to send to the next."""
        return self.slotframe_s / self.send_cells

    def doubts(self, hop: Hop, around: Around) -> Iterator[str]:  # noqa: ARG002
        """Yield cells and beacons that a slotframe has no room for."""
        cells, own = (
            float(np.median(each))
            for each in (
                around.children * self.send_cells,
                self.slots - self.shared_cells,
            )
        )
        if cells > own:
            yield (
                f"{around.children:,} nodes that send to one need {cells:,.0f} cells "
                f"of their own; a slotframe has {own:,.0f}: the load is told for cells "
                "that children share without collisions. Give more slots, or share "
                "them by Orchestra."
            )
        elif cells > (listened := float(np.median(self.receive_cells))):
            yield (
                f"{around.children:,} nodes that send to one have {cells:,.0f} cells "
                f"for that; it is taken to listen in {listened:,.0f} (receive cells)."
            )
        beacons = (around.neighbours + 1) * self.slotframe_s / self.beacon_interval_s
        if np.median(beacons) > np.median(self.shared_cells):
            yield (
                f"beacons of {around.neighbours + 1:,} nodes need "
                f"{float(np.median(beacons)):,.3g} shared cells of a slotframe, which "
                f"has {float(np.median(self.shared_cells)):,.0f}: beacons collide."
            )

    def slot_share(self, hop: Hop) -> Value:
        """Return the share that is over when the acknowledgement is there."""
        needed_s = self.transmit_offset_s + hop.frame_s + _ACK_DELAY_S + hop.ack_s
        return needed_s / self.slot_s

    def cell_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return a slot, and its share of those that all nodes keep for beacons."""
        own = np.maximum(self.slots - self.shared_cells, 0)
        return self.slotframe_s / np.maximum(own, 1e-9)


MAC = Tsch
