# SPDX-License-Identifier: Apache-2.0
"""Many frames opened in one call, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

FRAMES_MAX = 65_536
"""Frames that one call takes."""

NO_PLACE = 255
"""`OpenedFrames.device` and `.key` where there is none."""

ROW = np.dtype(
    [
        ("size", np.uint32),
        ("counter", np.uint32),
        ("result", np.int16),
        ("payload_start", np.uint16),
        ("payload_size", np.uint16),
        ("level", np.uint8),
        ("device", np.uint8),
        ("key", np.uint8),
        ("mic_size", np.uint8),
        ("unused", np.uint16),
    ]
)
"""One frame: the structure OpenedRow of the extension module."""


@dataclass(frozen=True, slots=True)
class OpenedFrames:
    """What became of each frame of a batch, in the order of the batch.

    All arrays have one element for each frame and are read-only, but `data`.

    Parameters
    ----------
    data
        Bytes of all frames, one behind the other (uint8). An accepted frame has its
        decrypted payload and its MIC; a refused one is zeros.
    start, size
        Position of each frame in `data`, and its length in bytes.
    result
        0 for an accepted frame; otherwise a negative code, see `reason`.
    level
        Security level. A frame of level 0 is not secured and can be a forgery.
    device, key
        Places in the tables; `NO_PLACE` for none.
    counter
        Frame counter in the frame.
    payload_start, payload_size
        Position of the payload in `data`, and its length in bytes; 0 and 0 for a
        refused frame. Payload information elements are part of it.
    """

    data: NDArray[np.uint8]
    start: NDArray[np.int64]
    size: NDArray[np.uint32]
    result: NDArray[np.int16]
    level: NDArray[np.uint8]
    device: NDArray[np.uint8]
    key: NDArray[np.uint8]
    counter: NDArray[np.uint32]
    payload_start: NDArray[np.int64]
    payload_size: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.result)

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Whether each frame was accepted."""
        accepted: NDArray[np.bool_] = self.result == 0
        return accepted

    def reason(self, index: int) -> str | None:
        """Return why a frame was refused, as `FrameError.reason`; None if accepted."""
        result = int(self.result[index])
        return None if result == 0 else _core.frame_reason(result)

    def payload(self, index: int) -> bytes:
        """Return the payload of a frame; empty for a refused one."""
        start = int(self.payload_start[index])
        return self.data[start : start + int(self.payload_size[index])].tobytes()

    def frame(self, index: int) -> bytes:
        """Return a frame, opened, for `parse`; zeros for a refused one."""
        start = int(self.start[index])
        return self.data[start : start + int(self.size[index])].tobytes()


def opened_frames(data: bytes, rows: bytes) -> OpenedFrames:
    """Return the arrays of what `SecurityState.open_many_bytes` returns."""
    table = np.frombuffer(rows, ROW)
    start = np.cumsum(table["size"], dtype=np.int64) - table["size"]
    payload_start = np.where(table["result"] == 0, start + table["payload_start"], 0)
    return OpenedFrames(
        data=np.frombuffer(data, np.uint8),
        start=start,
        size=table["size"],
        result=table["result"],
        level=table["level"],
        device=table["device"],
        key=table["key"],
        counter=table["counter"],
        payload_start=payload_start,
        payload_size=table["payload_size"],
    )


def asn_bytes(asns: object) -> bytes:
    """Return slot numbers as the extension module takes them."""
    return np.asarray(asns, dtype=np.uint64).tobytes()
