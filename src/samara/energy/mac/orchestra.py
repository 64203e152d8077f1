# SPDX-License-Identifier: Apache-2.0
"""TSCH by Orchestra: each node derives its cells from addresses, without messages.

Three slotframes run beside each other, of lengths without a common divisor:

| slotframe | cells of a node |
|---|---|
| beacons, ``beacon_slots`` | one to send its own, one to hear its time source |
| common, ``common_slots`` | one that all share, for broadcasts |
| unicast, ``unicast_slots`` | receiver-based: one to receive, shared by its children |
| | sender-based: one to send, and one to receive for each of ``children`` |

A frame to the parent has one cell in each unicast slotframe, in both. Receiver-based, a
parent receives one frame in that time, from all its children: they contend for its
cell, and what collides is not counted, but told. Sender-based, each child has its cell.
In a slot that several slotframes have cells in, one of them counts: that is neglected,
as are two addresses that fall on the same slot.

What a cell takes is as in `samara.energy.mac.tsch`.

Source: Duquennoy, Al Nahas, Landsiedel, Watteyne, "Orchestra: Robust Mesh Networks
Through Autonomously Scheduled TSCH", SenSys 2015; Contiki-NG, orchestra-conf.h (397, 31
and 17 slots, receiver-based).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.mac.tsch import Tsch
from samara.energy.medium_access import Around, Hop, MediumAccess, setting
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.quantity import Value
    from samara.energy.transceiver import RadioTimes

_TOLD_FROM = 0.01
"""The share of frames that collide from which it is told."""


@dataclass(frozen=True, slots=True)
class Orchestra(MediumAccess):
    """Slotframes for beacons, broadcasts and messages, each with its own length."""

    title = "TSCH by Orchestra: cells that follow from addresses"
    links = ("ieee802154",)
    shares_medium = False
    ack_bytes = Tsch.ack_bytes
    secures_acks = True

    unicast_slots: Value = setting(17, "Slots of the slotframe for messages.")
    common_slots: Value = setting(31, "Slots of the slotframe for broadcasts.")
    beacon_slots: Value = setting(397, "Slots of the slotframe for beacons.")
    sender_based: int = setting(
        0, "1: each sender has its cell; 0: each receiver has one for all its children."
    )
    children: Value = setting(
        2, "Children whose cells a node listens in, if cells are sender-based.", least=0
    )
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

    def __post_init__(self) -> None:
        """Refuse what is neither."""
        if self.sender_based not in {0, 1}:
            message = f"cells are sender-based (1) or not (0), not {self.sender_based}"
            raise MisuseError(message)

    @property
    def _cells(self) -> Tsch:
        """The slotframe for messages, and what any cell takes."""
        return Tsch(
            slots=self.unicast_slots,
            slot_s=self.slot_s,
            receive_cells=self.children if self.sender_based else 1,
            shared_cells=0,
            frame_wait_s=self.frame_wait_s,
            ack_wait_s=self.ack_wait_s,
            transmit_offset_s=self.transmit_offset_s,
            beacon_interval_s=self.beacon_interval_s,
            beacon_bytes=self.beacon_bytes,
        )

    def send(self, hop: Hop) -> RadioTimes:
        """Send the frame, wait for the acknowledgement, receive it."""
        return self._cells.send(hop)

    def receive(self, hop: Hop) -> RadioTimes:
        """Wait for the frame, receive it, acknowledge it."""
        return self._cells.receive(hop)

    def overhear(self, hop: Hop) -> RadioTimes:
        """Sleep: it is in a cell of others."""
        return self._cells.overhear(hop)

    def broadcast(self, hop: Hop) -> RadioTimes:
        """Send the frame in the common cell, instead of listening in it."""
        return self._cells.broadcast(hop)

    def receive_broadcast(self, hop: Hop) -> RadioTimes:
        """Wait for the frame, receive it."""
        return self._cells.receive_broadcast(hop)

    def idle(self, hop: Hop) -> RadioTimes:
        """Listen in all cells to receive; send beacons, hear the time source's."""
        others = 1 / (self.common_slots * self.slot_s)
        others = others + 1 / (self.beacon_slots * self.slot_s)
        beside = self._cells.idle(hop)
        listened = replace(
            beside,
            listen_s=beside.listen_s + others * self.frame_wait_s,
            starts=beside.starts + others,
        )
        return listened + self._cells.beacons(hop)

    def latency_s(self, hop: Hop) -> Value:
        """Return half the time from a cell to the next, and the frame in its slot."""
        return self._cells.latency_s(hop)

    def service_s(self, hop: Hop) -> Value:
        """Return the time from one cell to send to the next."""
        return self._cells.service_s(hop)

    def slot_share(self, hop: Hop) -> Value:
        """Return the share that is over when the acknowledgement is there."""
        return self._cells.slot_share(hop)

    def cell_s(self, hop: Hop) -> Value:
        """Return a slot; receiver-based, the slotframe that has one cell."""
        return self.slot_s if self.sender_based else self._cells.service_s(hop)

    @property
    def cell_takes_sender(self) -> bool:
        """Receiver-based, a node sends in other cells than it receives in."""
        return bool(self.sender_based)

    def doubts(self, hop: Hop, around: Around) -> Iterator[str]:
        """Yield cells that are listened in for others, and frames that collide."""
        if self.sender_based:
            if around.children > np.median(self.children):
                yield (
                    f"{around.children:,} nodes that send to one have as many cells "
                    f"for that; it is taken to listen in "
                    f"{float(np.median(self.children)):,.0f} (children)."
                )
            return
        others = around.messages_per_s * (1 - 1 / around.children)
        lost = -math.expm1(-others * float(np.median(self.service_s(hop))))
        if lost >= _TOLD_FROM:
            yield (
                f"{around.children:,} nodes share the cell of their parent: {lost:.0%} "
                "of the frames meet another in it, collide and are sent again, which "
                "is not counted."
            )


MAC = Orchestra
