# SPDX-License-Identifier: Apache-2.0
"""BoX-MAC-2 in a node: when its radio hears, and how a sender repeats a frame.

A receiver wakes up once an interval and listens for a moment. If something is on the
air then, it stays awake for the next whole frame; all else it does not hear. A sender
repeats its frame (a strobe) until an acknowledgement arrives, or for a whole interval.

Source: Moss, Levis, "BoX-MACs: Exploiting Physical and Link Layer Boundaries in
Low-Power Networking", Stanford SING-08-00, 2008. What it costs on average is in
`samara.energy.mac.box_mac_2`; here it happens. Times are in seconds.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from samara.errors import ArgumentError
from samara.link.ieee802154.medium_access import MediumAccess
from samara.link.node.options import Durations, Option, seconds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

WAKE_UP = "125ms"
"""The default time from one wake-up to the next."""
GAP_S = 5e-3
"""How long a sender listens after each strobe. A radio needs 0.5 ms for an
acknowledgement; processes on a host need this."""
SAMPLE_S = 10e-3
"""How long a receiver listens when it wakes up: twice the gap between strobes, since a
host is not always in time."""


@dataclass(frozen=True)
class BoxMac2(MediumAccess):
    """How a node sleeps and sends."""

    wake_up_s: float
    """From one wake-up to the next."""
    gap_s: float = GAP_S
    sample_s: float = SAMPLE_S

    title = "one that wakes up each --wake-up and is sent a frame again until then"
    options = (
        Option(
            name="wake_up",
            type=str,
            metavar="TIME",
            help="With --mac box-mac-2: time from one wake-up of a radio to the next,"
            " the same at both ends.",
            values=Durations(0.02, 10),
            default=WAKE_UP,
            at_each_run=True,
            may_be_missing=True,
        ),
    )
    asks_for_acks = True
    is_repeating = True

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Return it with the wake-ups of a node."""
        return cls(seconds_of(settings.get("wake_up", WAKE_UP)) or 0.0)

    def __post_init__(self) -> None:
        if not self.gap_s < self.sample_s < self.wake_up_s:
            message = (
                f"a node that wakes up each {self.wake_up_s:g} s cannot listen for "
                f"{self.sample_s:g} s with gaps of {self.gap_s:g} s"
            )
            raise ArgumentError(message)

    @property
    def wait_s(self) -> float:  # type: ignore[override]
        """A receiver sleeps for one interval at most."""
        return self.wake_up_s

    def receiver(self, now_s: float) -> DutyCycledReceiver:
        """Wake up first within the next interval: no two nodes wake up together."""
        first_s = now_s + secrets.randbelow(1_000_000) / 1e6 * self.wake_up_s
        return DutyCycledReceiver(self, first_s)

    def repeats_for_s(self, air_s: float) -> float:
        """Return for how long strobes of a frame begin, so that one is heard."""
        return self.wake_up_s + air_s

    @property
    def hold_s(self) -> float:
        """How long a receiver stays awake after something was on the air."""
        return self.sample_s


class DutyCycledReceiver:
    """When the radio of a node hears.

    Parameters
    ----------
    duty
        How the node sleeps.
    first_s
        When it wakes up first.

    >>> receiver = DutyCycledReceiver(BoxMac2(0.125), first_s=0.0)
    >>> receiver.hears(0.050, 0.054), receiver.hears(0.125, 0.130)
    (None, 0.0)
    """

    def __init__(self, duty: BoxMac2, first_s: float) -> None:
        self._duty, self._first_s = duty, first_s
        self._listening_since_s = first_s
        self._awake_until_s = -math.inf

    def hears(self, start_s: float, end_s: float) -> float | None:
        """Tell of a frame whether it is heard as a whole; see `Receiver`."""
        is_awake = start_s <= self._awake_until_s
        if not is_awake:
            woke_s = self._latest_wake_up_s(end_s)
            if start_s > woke_s + self._duty.sample_s:
                return None
            # Something is on the air while it listens.
            self._listening_since_s = woke_s
            is_awake = start_s >= woke_s
        self._awake_until_s = end_s + self._duty.hold_s
        if not is_awake:
            return None
        listened_s = max(start_s - self._listening_since_s, 0.0)
        self._listening_since_s = end_s
        return listened_s

    def _latest_wake_up_s(self, before_s: float) -> float:
        wake_ups = math.floor((before_s - self._first_s) / self._duty.wake_up_s)
        return self._first_s + wake_ups * self._duty.wake_up_s


ACCESS = BoxMac2
