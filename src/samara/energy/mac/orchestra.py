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
In a slot that several slotframes have cells in, one of them counts. Lengths without a
common divisor meet evenly, so a node listens in ``1 - (1 - a) (1 - b) (1 - c)`` of all
slots, where ``a``, ``b`` and ``c`` are the shares of each. Two addresses that fall on
the same slot are neglected.

What a cell takes is in `samara.energy.slotted`.

Source: Duquennoy, Al Nahas, Landsiedel, Watteyne, "Orchestra: Robust Mesh Networks
Through Autonomously Scheduled TSCH", SenSys 2015; Contiki-NG, orchestra-conf.h (397, 31
and 17 slots, receiver-based).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, Neighbourhood, setting
from samara.energy.slotted import Slotted
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.quantity import Value
    from samara.energy.transceiver import RadioTimes

_WARN_FROM_SHARE = 0.01
"""The share of frames that collide from which it is told."""


@dataclass(frozen=True, slots=True)
class Orchestra(Slotted):
    """Slotframes for beacons, broadcasts and messages, each with its own length."""

    title = "TSCH by Orchestra: cells that follow from addresses"

    unicast_slots: Value = setting(17, "Slots of the slotframe for messages.")
    common_slots: Value = setting(31, "Slots of the slotframe for broadcasts.")
    beacon_slots: Value = setting(397, "Slots of the slotframe for beacons.")
    sender_based: int = setting(
        0, "1: each sender has its cell; 0: each receiver has one for all its children."
    )
    children: Value = setting(
        2, "Children whose cells a node listens in, if cells are sender-based.", least=0
    )

    def __post_init__(self) -> None:
        """Refuse what is neither."""
        if self.sender_based not in {0, 1}:
            message = f"cells are sender-based (1) or not (0), not {self.sender_based}"
            raise MisuseError(message)

    def idle(self, hop: Hop) -> RadioTimes:
        """Listen in all cells to receive; send beacons, hear the time source's."""
        cells_per_s = self._share_of_slots() / self.slot_s
        return self.listening(hop, cells_per_s) + self.beacons_of_one(hop)

    def _share_of_slots(self) -> Value:
        """Return in which share of all slots a node listens."""
        received = self.children if self.sender_based else 1.0
        in_frames = (
            (received, self.unicast_slots),
            (1.0, self.common_slots),
            (1.0, self.beacon_slots),
        )
        asleep: Value = 1.0
        for cells, slots in in_frames:
            asleep = asleep * np.maximum(1.0 - cells / slots, 0.0)
        return 1.0 - asleep

    def service_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return the time from one cell to send to the next."""
        return self.unicast_slots * self.slot_s

    def cell_s(self, hop: Hop) -> Value:
        """Return a slot; receiver-based, the slotframe that has one cell."""
        return self.slot_s if self.sender_based else self.service_s(hop)

    @property
    def cell_takes_sender(self) -> bool:
        """Receiver-based, a node sends in other cells than it receives in."""
        return bool(self.sender_based)

    def doubts(self, hop: Hop, around: Neighbourhood) -> Iterator[str]:
        """Yield cells that are listened in for others, and frames that collide."""
        if self.sender_based:
            if around.children > np.median(self.children):
                yield (
                    f"the children of a node ({around.children:,}) have a cell each to "
                    "send to it, and it is taken to listen in fewer (children: "
                    f"{float(np.median(self.children)):,.0f})."
                )
            return
        others = around.messages_per_s * (1 - 1 / around.children)
        lost = -math.expm1(-others * float(np.median(self.service_s(hop))))
        if lost >= _WARN_FROM_SHARE:
            yield (
                f"{around.children:,} nodes share the cell of their parent: {lost:.0%} "
                "of the frames meet another in it, collide and are sent again, which "
                "is not counted."
            )


MAC = Orchestra
