# SPDX-License-Identifier: Apache-2.0
"""Samples on their way from a radio, which does not wait, to who searches them."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from samara.phy.channel import Samples

_SILENCE = np.zeros(0, np.complex64)


class PieceQueue:
    """A bounded queue of samples. What does not fit is dropped, and counted.

    Parameters
    ----------
    waiting
        Pieces that it holds.
    size
        Samples of a piece, at least.
    """

    def __init__(self, waiting: int = 256, size: int = 1 << 16) -> None:
        self._waiting: queue.Queue[Samples | int | None] = queue.Queue(waiting)
        self._size = size
        self._parts: list[Samples] = []
        self._gathered = self._missing = 0
        self.dropped = 0
        """Samples that were dropped so far."""

    def put(self, samples: Samples) -> None:
        """Add samples; they are copied."""
        self._parts.append(samples.copy())
        self._gathered += len(samples)
        if self._gathered >= self._size:
            self._pass_on()

    def _pass_on(self) -> None:
        """Queue what has gathered, after the number of samples dropped before it."""
        piece = np.concatenate(self._parts)
        self._parts, self._gathered = [], 0
        try:
            if self._missing:
                self._waiting.put_nowait(self._missing)
                self._missing = 0
            self._waiting.put_nowait(piece)
        except queue.Full:
            self._missing += len(piece)
            self.dropped += len(piece)

    def end(self) -> None:
        """Note that no more samples will come; what waits is still taken."""
        if self._parts:
            self._pass_on()
        while True:
            try:
                self._waiting.put_nowait(None)
            except queue.Full:
                # The end is told in any case, and the radio's thread never waits.
                self._waiting.get_nowait()
            else:
                return

    def take(self, timeout_s: float) -> Samples | None:
        """Return samples, none if there are none yet; None at the end.

        Zeros stand for samples that were dropped, so that times stay right.
        """
        try:
            piece = self._waiting.get(timeout=timeout_s)
        except queue.Empty:
            return _SILENCE
        if isinstance(piece, int):
            return np.zeros(piece, np.complex64)
        return piece
