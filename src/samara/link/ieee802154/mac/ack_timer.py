# SPDX-License-Identifier: Apache-2.0
"""How long a sender waits for an acknowledgement.

The standard's macAckWaitDuration, 864 µs, is less than processes on a host need to
answer each other. The wait is therefore taken from the answers themselves, as TCP
does (RFC 6298): their smoothed time and four times its variation. An answer to a
frame that was sent several times says nothing about its time (Karn's algorithm).
Times are in seconds, and count from the end of the frame.
"""

from __future__ import annotations

FIRST_WAIT_S = 0.1
"""Before anybody has answered."""
WAIT_MIN_S, WAIT_MAX_S = 0.02, 0.5

_GAIN, _VARIATION_GAIN, _VARIATIONS = 1 / 8, 1 / 4, 4


class AckTimer:
    """The wait for the acknowledgements of a neighbour.

    >>> timer = AckTimer()
    >>> timer.wait_s
    0.1
    >>> timer.answered(0.05)
    >>> round(timer.wait_s, 6)
    0.15
    """

    def __init__(self) -> None:
        self._mean_s: float | None = None
        self._variation_s = 0.0

    @property
    def wait_s(self) -> float:
        """How long to wait for the next one."""
        if self._mean_s is None:
            return FIRST_WAIT_S
        wait_s = self._mean_s + max(_VARIATIONS * self._variation_s, WAIT_MIN_S)
        return min(wait_s, WAIT_MAX_S)

    def answered(self, after_s: float) -> None:
        """Take note of how long an acknowledgement took."""
        if self._mean_s is None:
            self._mean_s, self._variation_s = after_s, after_s / 2
            return
        deviation_s = abs(after_s - self._mean_s)
        self._variation_s += _VARIATION_GAIN * (deviation_s - self._variation_s)
        self._mean_s += _GAIN * (after_s - self._mean_s)
