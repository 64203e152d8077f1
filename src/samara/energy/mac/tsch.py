# SPDX-License-Identifier: Apache-2.0
"""TSCH: all nodes have the same time, and cells in it.

A slotframe has ``slots`` time slots of ``slot_s``. In it, a node has ``send_cells``
cells to send to its parent, ``receive_cells`` to receive from its children, and
``shared_cells`` in which all may send.

What a cell takes is in `samara.energy.slotted`. "Idle" is to listen for
``frame_wait_s`` in each receive and shared cell, and to send a beacon; "beacons" is to
receive that of each neighbour in a shared cell.

What a parent's children send, and what it sends itself, has to fit into the slots that
are not shared: a radio is in one at a time.

Source: IEEE 802.15.4-2015, 6.5.4; RFC 8180 (a slotframe of 101 slots in examples).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, setting
from samara.energy.slotted import Slotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.medium_access import Neighbourhood
    from samara.energy.quantity import Value
    from samara.energy.transceiver import RadioTimes


@dataclass(frozen=True, slots=True)
class Tsch(Slotted):
    """A schedule says who sends, who listens, and when."""

    title = "TSCH: slots of a common schedule"
    standard = "IEEE 802.15.4, 6TiSCH"

    slots: Value = setting(101, "Slots of the slotframe.")
    send_cells: Value = setting(1, "Cells of a slotframe in which the node sends.")
    receive_cells: Value = setting(
        1, "Cells of a slotframe in which the node receives.", least=0
    )
    shared_cells: Value = setting(
        1, "Cells of a slotframe that all nodes share.", least=0
    )

    @property
    def slotframe_s(self) -> Value:
        """How long a slotframe is."""
        return self.slots * self.slot_s

    def idle(self, hop: Hop) -> RadioTimes:
        """Listen in each cell in which somebody may send; send beacons."""
        cells = (self.receive_cells + self.shared_cells) / self.slotframe_s
        return self.listening(hop, cells)

    def beacons(self, hop: Hop) -> RadioTimes:
        """Receive them in shared cells, in which all listen anyway."""
        return self.beacons_of_one(hop)

    def service_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return the time from one cell to send to the next."""
        return self.slotframe_s / self.send_cells

    def doubts(self, hop: Hop, around: Neighbourhood) -> Iterator[str]:  # noqa: ARG002
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
                f"the children of a node ({around.children:,}) need more cells of "
                f"their own ({cells:,.0f}) than a slotframe has ({own:,.0f}): the load "
                "is for cells that children share without collisions. Give more "
                "slots, or share them by Orchestra."
            )
        elif cells > (listened := float(np.median(self.receive_cells))):
            yield (
                f"the children of a node ({around.children:,}) have more cells to send "
                f"to it ({cells:,.0f}) than it is taken to listen in (receive cells: "
                f"{listened:,.0f})."
            )
        beacons = (around.neighbours + 1) * self.slotframe_s / self.beacon_interval_s
        if np.median(beacons) > np.median(self.shared_cells):
            yield (
                f"beacons of {around.neighbours + 1:,} nodes need "
                f"{float(np.median(beacons)):,.3g} shared cells of a slotframe, which "
                f"has {float(np.median(self.shared_cells)):,.0f}: beacons collide."
            )

    def cell_s(self, hop: Hop) -> Value:  # noqa: ARG002 - the same for all frames
        """Return a slot, and its share of those that all nodes keep for beacons."""
        own = np.maximum(self.slots - self.shared_cells, 0)
        return self.slotframe_s / np.maximum(own, 1e-9)


MAC = Tsch
