# SPDX-License-Identifier: Apache-2.0
"""Polling: a sleepy end device asks its parent, which always listens.

With ``tf`` the frame, ``g`` the gap after it, ``tq`` the request for data:

| | time |
|---|---|
| send | the frame, then listen for ``g`` |
| receive | after a request, listen for ``response_s``; the frame, then acknowledge |
| overhear | nothing: it sleeps |
| idle | every ``poll_interval_s``: a request |
| request | ``tq``, turn around, receive its acknowledgement |

The request is a frame of the link: where the link is secured, it is longer, it is
sealed, and it takes a number of the frame counter.

The energies are the end device's. Its parent is on mains power: this is for leaves.

Source: IEEE 802.15.4-2006, 7.5.6.3 (extracting pending data from a coordinator), as
sleepy end devices of Zigbee and Thread do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.energy.medium_access import Hop, Requests, acknowledged, setting
from samara.energy.sleepy_end_device import SleepyEndDevice, request_times
from samara.energy.transceiver import RadioTimes

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class Polling(SleepyEndDevice):
    """The parent keeps frames until it is asked for them."""

    title = "polling: a sleepy end device that asks its parent"
    standard = "IEEE 802.15.4, Thread, Zigbee"

    poll_interval_s: Value = setting(5.0, "Time from one request for data to the next.")
    request_bytes: int = setting(
        12, "Size of a request for data without security, with its check sequence."
    )
    response_s: Value = setting(
        2e-3, "Time from the request's acknowledgement until the frame begins."
    )

    def receive(self, hop: Hop) -> RadioTimes:
        """Wait for the frame after a request, receive it, acknowledge it."""
        return acknowledged(
            RadioTimes(listen_s=self.response_s, receive_s=hop.frame_s), hop
        )

    @property
    def requests(self) -> Requests:
        """One request an interval."""
        return Requests(self.request_bytes, 1 / self.poll_interval_s, request_times)

    def latency_down_s(self, hop: Hop, request: Hop) -> Value:
        """Return the mean time from the parent: half an interval, and a request."""
        answered_s = request.period_s + self.response_s
        return self.poll_interval_s / 2 + answered_s + hop.frame_s


MAC = Polling
