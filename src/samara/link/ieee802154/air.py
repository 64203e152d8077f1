# SPDX-License-Identifier: Apache-2.0
"""The air between nodes of IEEE 802.15.4, as a model without a clock.

One frame is on the air at a time: who sends while it is taken waits, as if
carrier sensing were perfect and free. Each receiver then gets no copy, one or
two of a frame. Times are in seconds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

_BYTE_S = 32e-6
# Preamble 4, start delimiter 1, length 1.
PHY_HEADER_SIZE = 6


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
                raise ValueError(message)
        if not 0 <= self.delay_s <= 60:  # noqa: PLR2004 - a limit of its own
            message = "the delay is 0 to 60 seconds"
            raise ValueError(message)
        if self.is_contended and not self.paced:
            message = "CSMA-CA and collisions need frames that take their air time"
            raise ValueError(message)

    @property
    def is_contended(self) -> bool:
        """Whether frames can overlap (`samara.link.ieee802154.contention`)."""
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

    def carry(self, now_s: float, psdu_size: int) -> float:
        """Return when a frame that is to be sent now has arrived."""
        if self._conditions.paced:
            start_s = max(now_s, self._free_at_s)
            self._free_at_s = start_s + air_time_s(psdu_size)
            now_s = self._free_at_s
        return now_s + self._conditions.delay_s

    def copies(self, loss: float | None = None) -> int:
        """Return how many copies of a frame the next receiver gets.

        Parameters
        ----------
        loss
            The probability that it misses the frame. Default: that of all links.
        """
        if self.random.random() < (self._conditions.loss if loss is None else loss):
            return 0
        return 2 if self.random.random() < self._conditions.duplication else 1

    def is_held_back(self) -> bool:
        """Tell whether the next copy arrives after the one that follows it."""
        # Without the option no number is drawn: losses stay those of the seed.
        reorder = self._conditions.reorder
        return reorder > 0 and self.random.random() < reorder
