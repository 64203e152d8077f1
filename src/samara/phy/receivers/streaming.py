# SPDX-License-Identifier: Apache-2.0
"""What receivers of packets have in common: samples come in pieces, packets go out.

A packet may begin in one piece and end in another. A receiver keeps as many samples as
its longest packet has, so memory is bounded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.channel import Samples

ndimage = need("scipy.ndimage", "phy")

Powers = NDArray[np.float64]
Positions = NDArray[np.int64]


Received = TypeVar("Received")


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet that was found among samples."""

    sample: int
    """Where its preamble begins, in samples that the receiver got."""
    content: bytes
    is_intact: bool
    """Whether its check sequence is right."""
    snr_db: float
    """Of the samples of the preamble."""
    offset_hz: float
    """Carrier frequency offset."""


@dataclass(frozen=True, slots=True)
class Read(Generic[Received]):
    """A packet, and how many samples after its beginning it ends."""

    packet: Received
    size: int


class PacketReceiver(ABC, Generic[Received]):
    """Finds packets in a stream of samples.

    Parameters
    ----------
    window
        Samples that tell that a packet begins.
    longest
        Samples from the first one of the window to the end of the longest packet.
    """

    def __init__(self, window: int, longest: int) -> None:
        self._window, self._longest = window, longest
        self._kept = np.zeros(0, np.complex64)
        self._at = 0
        self._free_from = 0

    def feed(self, samples: Samples) -> Iterator[Received]:
        """Take samples, and yield the packets that are complete."""
        self._kept = np.concatenate([self._kept, samples])
        if len(self._kept) >= 2 * self._longest:
            yield from self._search(len(self._kept) - self._longest)

    def finish(self) -> Iterator[Received]:
        """Yield what is left: the last packets; one that is cut off is not given."""
        count = len(self._kept)
        silence = np.zeros(self._longest, np.complex64)
        self._kept = np.concatenate([self._kept, silence])
        yield from self._search(count)

    def _search(self, count: int) -> Iterator[Received]:
        """Yield the packets that begin in the first `count` samples; drop these."""
        kept, at = self._kept, self._at
        for start in self.starts(kept[: count + self._window]):
            if at + start < self._free_from or start >= count:
                continue
            read = self.read(kept[start : start + self._longest], at + int(start))
            if read is not None:
                self._free_from = at + int(start) + read.size
                yield read.packet
        self._kept, self._at = kept[count:], at + count

    @abstractmethod
    def starts(self, samples: Samples) -> Positions:
        """Return where packets may begin, in order."""

    @abstractmethod
    def read(self, samples: Samples, at: int) -> Read[Received] | None:
        """Return the packet that begins about with these samples; None if none does."""


def peaks(values: Powers, threshold: float, apart: int) -> Positions:
    """Return where values are above a threshold and the largest within `apart`.

    Examples
    --------
    >>> peaks(np.array([0.0, 3, 1, 0, 2, 0]), 0.5, 2).tolist()
    [1, 4]
    """
    if not len(values) or values.max() <= threshold:
        return np.zeros(0, np.int64)
    highest = ndimage.maximum_filter1d(values, 2 * apart + 1, mode="constant")
    return np.flatnonzero((values == highest) & (values > threshold))


def sums(values: Powers, count: int) -> Powers:
    """Return the sums of `count` consecutive values."""
    total: Powers = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    return total[count:] - total[:-count]
