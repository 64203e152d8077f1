# SPDX-License-Identifier: Apache-2.0
"""The air between nodes of IEEE 802.15.4, as a model without a clock.

One frame is on the air at a time: who sends while it is taken waits, as if
carrier sensing were perfect and free. Each receiver then gets no copy, one or
two of a frame. Times are in seconds.

A radio acknowledges a frame by itself, one turnaround after its end. A process on a
host is later, by what the host needs to wake it up and not by anything on the air. So
that this does not add up, the time of an acknowledgement on the air is kept free behind
each frame that asks for one, and begins when a radio would have begun.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass

from samara.errors import ArgumentError

_BYTE_S = 32e-6
# Preamble 4, start delimiter 1, length 1.
PHY_HEADER_SIZE = 6
TURNAROUND_S = 192e-6
"""aTurnaroundTime: 12 symbols."""

# An immediate acknowledgement with its check sequence.
_ACK_SIZE = 5
# Frames whose acknowledgements may still come.
_ASKED_MAX = 16


def air_time_s(psdu_size: int) -> float:
    """Return how long a frame is on the air at 250 kbit/s, 2.4 GHz O-QPSK.

    Parameters
    ----------
    psdu_size
        Bytes of the frame with its check sequence.
    """
    return (psdu_size + PHY_HEADER_SIZE) * _BYTE_S


@dataclass(frozen=True, slots=True)
class Conditions:
    """What happens to frames."""

    paced: bool = True
    """Whether frames take their time on the air."""
    delay_s: float = 0.0
    """Added to each."""
    loss: float = 0.0
    """The probability that a receiver misses a frame."""
    duplication: float = 0.0
    """The probability that a receiver gets a frame that it has not missed twice."""
    seed: int = 0
    reorder: float = 0.0
    """The probability that a receiver gets a frame after the one that follows it."""
    csma: bool = False
    """Whether nodes sense the channel, back off and may give up."""
    collisions: bool = False
    """Whether frames that overlap at a receiver are lost."""

    def __post_init__(self) -> None:
        for name in ("loss", "duplication", "reorder"):
            if not 0 <= getattr(self, name) <= 1:
                message = f"{name} is a probability, 0 to 1"
                raise ArgumentError(message)
        if not 0 <= self.delay_s <= 60:  # noqa: PLR2004 - a limit of its own
            message = "the delay is 0 to 60 seconds"
            raise ArgumentError(message)
        if self.is_contended and not self.paced:
            message = "CSMA-CA and collisions need frames that take their air time"
            raise ArgumentError(message)

    @property
    def is_contended(self) -> bool:
        """Whether frames can overlap (`samara.link.ieee802154.air.contention`)."""
        return self.csma or self.collisions


class Air:
    """When frames end, and who hears them.

    >>> air = Air(Conditions())
    >>> [round(air.carry(0.0, 127), 6) for _ in range(2)]
    [0.004256, 0.008512]
    """

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions
        # Not for secrets.
        self.random = random.Random(conditions.seed)  # noqa: S311
        """Decides what is lost; the same seed gives the same losses."""
        self._free_at_s = 0.0
        self._asked_s: deque[float] = deque(maxlen=_ASKED_MAX)
        self._to_lose = self._to_hold_back = 0

    def change(self, conditions: Conditions) -> None:
        """Have other conditions from now on."""
        self._conditions = conditions

    def lose(self, count: int) -> None:
        """Lose the next copies, whatever their probability is."""
        self._to_lose = count

    def hold_back(self, count: int) -> None:
        """Hold the next copies back, whatever their probability is."""
        self._to_hold_back = count

    def carry(self, now_s: float, psdu_size: int, *, asks_ack: bool = False) -> float:
        """Return when a frame that is to be sent now has arrived.

        Parameters
        ----------
        asks_ack
            Whether the frame asks for an acknowledgement, for which the air is kept
            free.
        """
        if self._conditions.paced:
            start_s = max(now_s, self._free_at_s)
            now_s = self._free_at_s = start_s + air_time_s(psdu_size)
            if asks_ack:
                self._asked_s.append(now_s)
                self._free_at_s += TURNAROUND_S + air_time_s(_ACK_SIZE)
        return now_s + self._conditions.delay_s

    def carry_ack(self, now_s: float, psdu_size: int) -> float:
        """Return when an acknowledgement has arrived that a node hands over now.

        One that answers no frame takes its time as every other frame.
        """
        asked = [end_s for end_s in self._asked_s if end_s <= now_s]
        if not asked:
            return self.carry(now_s, psdu_size)
        self._asked_s.remove(asked[-1])
        end_s = asked[-1] + TURNAROUND_S + air_time_s(psdu_size)
        self._free_at_s = max(self._free_at_s, end_s)
        return max(now_s, end_s) + self._conditions.delay_s

    def copies(self, loss: float | None = None) -> int:
        """Return how many copies of a frame the next receiver gets.

        Parameters
        ----------
        loss
            The probability that it misses the frame. Default: that of all links.
        """
        if self._to_lose:
            self._to_lose -= 1
            return 0
        if self.random.random() < (self._conditions.loss if loss is None else loss):
            return 0
        return 2 if self.random.random() < self._conditions.duplication else 1

    @property
    def is_faultless(self) -> bool:
        """Whether the next frames arrive once where no link loses them, in order."""
        conditions = self._conditions
        return not (
            self._to_lose
            or self._to_hold_back
            or conditions.duplication
            or conditions.reorder
        )

    def is_held_back(self) -> bool:
        """Tell whether the next copy arrives after the one that follows it."""
        if self._to_hold_back:
            self._to_hold_back -= 1
            return True
        # Without the option no number is drawn: losses stay those of the seed.
        reorder = self._conditions.reorder
        return reorder > 0 and self.random.random() < reorder
