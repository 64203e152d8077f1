# SPDX-License-Identifier: Apache-2.0
"""CSL: a sleepy end device that its parent knows when to reach (Thread's SSED).

The device listens in a window every ``csl_period_s``. Its parent, which always listens
and has the same time, sends within the window what waits for the device. With ``Tt``
the ``csl_timeout_s``, ``ppm`` the sum of both accuracies, ``u`` of both uncertainties:

| | time |
|---|---|
| window | twice ``ppm Tt / 2 + u`` |
| send | the frame, then listen for ``g`` |
| receive | listen for half of a window, the frame, then acknowledge |
| overhear | nothing: it sleeps |
| idle | every ``csl_period_s``: start the radio, a window; every ``Tt``: a request |
| request | as with polling: it tells the parent the time anew |

The clocks differ by at most ``ppm`` of the time since they last agreed, which is ``Tt /
2`` on average: from 0 after a request up to ``Tt``. The energies are the device's; its
parent is on mains power.

Source: IEEE 802.15.4-2020, 6.12.2 (coordinated sampled listening); Thread 1.2, as
OpenThread has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.energy.medium_access import Hop, Requests, acknowledged, setting
from samara.energy.sleepy_end_device import SleepyEndDevice, request_times
from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.quantity import Value


@dataclass(frozen=True, slots=True)
class Csl(SleepyEndDevice):
    """The parent sends when the device listens."""

    title = "CSL: a sleepy end device that listens in windows"
    standard = "IEEE 802.15.4, Thread"
    ack_bytes = 11
    """Enhanced: frame control 2, number 1, network and address 4, check 2; and 2 that
    end its information elements."""
    secures_acks = True

    csl_period_s: Value = setting(1.0, "Time from one receive window to the next.")
    csl_timeout_s: Value = setting(
        20.0, "Time from one request to the next, which keeps both ends in time."
    )
    request_bytes: int = setting(
        20, "Size of a request for data without security, with its check sequence."
    )
    own_accuracy_ppm: Value = setting(20.0, "Accuracy of the node's own sleep clock.")
    parent_accuracy_ppm: Value = setting(20.0, "Accuracy of the parent's sleep clock.")
    own_uncertainty_s: Value = setting(
        120e-6, "Uncertainty of the node's own time besides its clock."
    )
    parent_uncertainty_s: Value = setting(
        120e-6, "Uncertainty of the parent's time besides its clock."
    )

    def __post_init__(self) -> None:
        """Refuse windows that overlap."""
        if np.any(np.asarray(self.window_s) >= self.csl_period_s):
            message = (
                f"a CSL period of {self.csl_period_s} s is too short for a window of "
                f"{self.window_s} s: give a longer period or a shorter timeout"
            )
            raise MisuseError(message)

    @property
    def window_s(self) -> Value:
        """How long the device listens, on average."""
        ppm = self.own_accuracy_ppm + self.parent_accuracy_ppm
        apart_s = ppm * 1e-6 * self.csl_timeout_s
        return apart_s + 2 * (self.own_uncertainty_s + self.parent_uncertainty_s)

    def receive(self, hop: Hop) -> RadioTimes:
        """Wait in the window, receive the frame, acknowledge it."""
        waited = RadioTimes(
            listen_s=self.window_s / 2, receive_s=hop.frame_s, spared_s=self.window_s
        )
        return acknowledged(waited, hop)

    def idle(self, hop: Hop) -> RadioTimes:  # noqa: ARG002 - the same for all frames
        """Listen in each window."""
        windows = 1 / self.csl_period_s
        return RadioTimes(listen_s=windows * self.window_s, starts=windows)

    @property
    def requests(self) -> Requests:
        """One request each timeout."""
        return Requests(self.request_bytes, 1 / self.csl_timeout_s, request_times)

    def latency_down_s(self, hop: Hop) -> Value:
        """Return the mean time from the parent: half a period."""
        return self.csl_period_s / 2 + hop.frame_s


MAC = Csl
