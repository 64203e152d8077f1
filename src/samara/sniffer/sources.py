# SPDX-License-Identifier: Apache-2.0
"""Where the sniffer's samples come from: a recording, or a radio."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.phy import radio as radios
from samara.sniffer.pieces import PieceQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.phy.channel import Samples
    from samara.phy.radio import Radio
    from samara.phy.recordings import Recording
    from samara.phy.tuning import Tuning

_WAIT_S = 0.2
# Products of such samples would be beyond single precision, and their mean is nobody's.
_FAR_TOO_LARGE = 1e9


class Source(ABC):
    """Samples with their rate, frequency and time."""

    sample_rate: float
    frequency: float | None
    start_ns: int
    """Time of the first sample in nanoseconds since 1970."""
    dropped = 0
    """Samples that came too fast so far."""
    overflows = 0
    """How often the radio lost samples so far, which nobody counts."""
    share: float | None = None
    """Of all samples, how many were taken so far; None while nobody knows."""
    remark: str | None = None
    """What a user should know before."""

    @abstractmethod
    def pieces(self, is_over: Callable[[], bool]) -> Iterator[Samples]:
        """Yield samples until the end; pieces may be empty while none come.

        Raises
        ------
        samara.phy.tuning.RadioError
            When the radio ends by itself: it was unplugged.
        """


class RecordedSource(Source):
    """A recording. Without a time of its own, it begins with 1970."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.sample_rate = recording.sample_rate
        self.frequency = recording.frequency
        self.remark = recording.remark()
        since = recording.time.timestamp() if recording.time else 0.0
        self.start_ns = round(since * 1e6) * 1000

    def pieces(self, is_over: Callable[[], bool]) -> Iterator[Samples]:
        """Yield the samples; what is not finite, or far too large, is 0."""
        taken = 0
        for piece in self._recording.blocks():
            if is_over():
                return
            taken += len(piece)
            self.share = taken / self._recording.count
            yield np.where(np.abs(piece) < _FAR_TOO_LARGE, piece, np.complex64(0))


class RadioSource(Source):
    """A radio, by GNU Radio."""

    def __init__(self, radio: Radio, tuning: Tuning, number: int = 0) -> None:
        self.sample_rate, self.frequency = tuning.sample_rate, tuning.frequency
        self._queue = PieceQueue()
        # Kept: GNU Radio does not keep blocks in Python.
        self._blocks = radios.source(radio, tuning, number), _collector(self._queue)
        self.start_ns = time.time_ns()

    def pieces(self, is_over: Callable[[], bool]) -> Iterator[Samples]:
        """Yield what the radio receives, until it ends or `is_over`."""
        from gnuradio import gr  # noqa: PLC0415

        flow = gr.top_block("sniffer")
        flow.connect(*self._blocks)
        self.start_ns = time.time_ns()
        flow.start()
        try:
            while not is_over():
                piece = self._queue.take(_WAIT_S)
                self.dropped = self._queue.dropped
                self.overflows = self._overflows_of_device()
                if piece is None:
                    # What GNU Radio's own blocks end by, they do not tell.
                    failure = getattr(self._blocks[0], "failure", None)
                    if failure is not None:
                        raise failure
                    return
                yield piece
        finally:
            flow.stop()
            flow.wait()

    def _overflows_of_device(self) -> int:
        device = getattr(self._blocks[0], "receiver", None)
        return device.overflows if device is not None else 0


def _collector(pieces: PieceQueue) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return a block that puts what it gets into a queue."""
    from gnuradio import gr  # noqa: PLC0415

    class Collector(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("collector", in_sig=[np.complex64], out_sig=None)

        def work(self, inputs: list[Samples], _outputs: object) -> int:
            pieces.put(inputs[0])
            return len(inputs[0])

        def stop(self) -> bool:
            pieces.end()
            return True

    return Collector()
