# SPDX-License-Identifier: Apache-2.0
"""Sleepy end devices of IEEE 802.15.4, which a parent on mains power listens to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.leaf import Leaf
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.medium_access import Hop


@dataclass(frozen=True, slots=True)
class SleepyEndDevice(Leaf):
    """A leaf whose parent keeps frames for it, and acknowledges those that it sends."""

    def send(self, hop: Hop) -> RadioTimes:
        """Send the frame, wait for the acknowledgement."""
        return RadioTimes(data_s=hop.frame_s, listen_s=hop.gap_s, starts=1, copies=1)


def request_times(request: Hop) -> RadioTimes:
    """Return what it takes to ask the parent for what it keeps."""
    return RadioTimes(
        control_s=request.frame_s,
        listen_s=request.radio.turnaround_s,
        receive_s=request.ack_s,
        starts=1,
        copies=1,
    )
