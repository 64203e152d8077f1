# SPDX-License-Identifier: Apache-2.0
"""A frame on its way out, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from samara.link.ieee802154.mac.ack_timer import WAIT_MAX_S, AckTimer


@dataclass(frozen=True, slots=True)
class Sending:
    """A frame that was sent."""

    psdu: bytes
    """With its check sequence; all attempts are the same."""
    time_s: float
    """By the clock, until it was acknowledged or given up."""
    attempts: int = 1
    """How often it was on the air."""
    acknowledgement: bytes = b""
    """What acknowledged it, with its check sequence; empty when nothing did."""
    was_asked: bool = False
    """Whether the frame asked for an acknowledgement."""
    listened_s: float = 0.0
    """Of that time, how long a radio that sleeps otherwise was on to listen."""


@dataclass(slots=True)
class Outgoing:
    """A frame that asks for an acknowledgement, from when it is made.

    Times without another word are by the clock of the MAC.
    """

    frame: bytes
    """Without check sequence; all attempts are the same."""
    timer: AckTimer
    """Of the neighbour that it is for."""
    first_s: float = 0.0
    """When its first attempt was sent, in seconds since 1970."""
    attempts: int = 0
    acknowledgement: bytes = b""
    until_s: float = 0.0
    """How long the acknowledgement of the last attempt is waited for."""
    _start_s: float = 0.0
    _psdu: bytes = b""
    _ends_s: float = 0.0
    _over_s: float | None = None

    def begins(self, now_s: float, first_s: float) -> None:
        """Note when its first attempt is sent."""
        self._start_s, self.first_s = now_s, first_s

    def was_sent(self, psdu: bytes, ends_s: float) -> None:
        """Note an attempt, and when it leaves the air."""
        self._psdu, self._ends_s = psdu, ends_s
        # Longer each time: the medium may be busy.
        self.until_s = ends_s + min(self.timer.wait_s * 2**self.attempts, WAIT_MAX_S)
        self.attempts += 1

    def was_answered(self, acknowledgement: bytes, now_s: float) -> None:
        """Note its acknowledgement."""
        self.acknowledgement, self._over_s = acknowledgement, now_s
        if self.attempts == 1:
            self.timer.answered(max(now_s - self._ends_s, 0.0))

    @property
    def is_settled(self) -> bool:
        """Whether it was acknowledged or given up."""
        return self._over_s is not None

    def was_given_up(self, now_s: float) -> None:
        """Note that no acknowledgement is waited for any more."""
        self._over_s = now_s

    def sending(self) -> Sending:
        """Return what became of it."""
        over_s = self._start_s if self._over_s is None else self._over_s
        return Sending(
            self._psdu,
            over_s - self._start_s,
            self.attempts,
            self.acknowledgement,
            was_asked=True,
        )
