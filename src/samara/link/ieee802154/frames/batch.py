# SPDX-License-Identifier: Apache-2.0
"""Many frames protected or opened in one call, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from samara import _core
from samara.link.ieee802154.frames.packing import packed_arrays, starts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from samara.crypto.bytes_like import BytesLike
    from samara.link.ieee802154.frames.packing import Packed

FRAMES_MAX = 65_536
"""Frames that one call takes."""

NO_PLACE = 255
"""`OpenedFrames.device` and `.key` where there is none."""

OPENED_ROW = np.dtype(
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

PROTECTED_ROW = np.dtype(
    [
        ("size", np.uint32),
        ("counter", np.uint32),
        ("result", np.int16),
        ("unused", np.uint16),
    ]
)
"""One frame: the structure ProtectedRow of the extension module."""


@dataclass(frozen=True, slots=True)
class _Frames:
    """What became of each frame of a batch, in the order of the batch.

    All arrays have one element for each frame and are read-only, but `data`.
    """

    data: NDArray[np.uint8]
    start: NDArray[np.int64]
    size: NDArray[np.uint32]
    result: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.result)

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Whether each frame was protected, or accepted."""
        accepted: NDArray[np.bool_] = self.result == 0
        return accepted

    def reason(self, index: int) -> str | None:
        """Return why a frame was refused, as `FrameError.reason`; None for others."""
        code = int(self.result[index])
        return None if code == 0 else _core.frame_reason(code)

    def frame(self, index: int) -> bytes:
        """Return a frame with its MIC; opened, it can be parsed.

        A refused frame is empty if it was to be protected, and zeros if to be opened.
        """
        start = int(self.start[index])
        return self.data[start : start + int(self.size[index])].tobytes()


@dataclass(frozen=True, slots=True)
class ProtectedFrames(_Frames):
    """What became of each frame of a batch that was protected, in its order.

    All arrays have one element for each frame and are read-only, but `data`. They are
    `Packed`: `Security.open_many` takes them as they are.

    Parameters
    ----------
    data
        Bytes of all protected frames with their MIC, one behind the other (uint8).
    start, size
        Position of each frame in `data`, and its length in bytes; a refused frame has
        length 0.
    result
        0 for a protected frame; otherwise a negative code, see `reason`.
    counter
        Frame counter that the frame was given; 0 for a refused frame, and for one
        whose nonce is made from the slot number and which has no counter.
    """

    counter: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class OpenedFrames(_Frames):
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

    level: NDArray[np.uint8]
    device: NDArray[np.uint8]
    key: NDArray[np.uint8]
    counter: NDArray[np.uint32]
    payload_start: NDArray[np.int64]
    payload_size: NDArray[np.uint16]

    def payload(self, index: int) -> bytes:
        """Return the payload of a frame; empty for a refused one."""
        start = int(self.payload_start[index])
        return self.data[start : start + int(self.payload_size[index])].tobytes()


def open_many(
    state: _core.SecurityState,
    frames: Iterable[BytesLike] | Packed,
    asns: Iterable[int] | None,
) -> OpenedFrames:
    """Open frames; see `Security.open_many`."""
    if (arrays := packed_arrays(frames)) is not None:
        data, rows = state.open_packed_bytes(*arrays, asns=_asn_bytes(asns))
    else:
        data, rows = state.open_many_bytes(_listed(frames), asns=_asn_bytes(asns))
    table = np.frombuffer(rows, OPENED_ROW)
    start = starts(table["size"])
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


def protect_many(
    state: _core.SecurityState,
    frames: Iterable[BytesLike] | Packed,
    asns: Iterable[int] | None,
) -> ProtectedFrames:
    """Protect frames; see `Security.protect_many`."""
    if (arrays := packed_arrays(frames)) is not None:
        data, rows = state.protect_packed_bytes(*arrays, asns=_asn_bytes(asns))
    else:
        data, rows = state.protect_many_bytes(_listed(frames), asns=_asn_bytes(asns))
    table = np.frombuffer(rows, PROTECTED_ROW)
    return ProtectedFrames(
        data=np.frombuffer(data, np.uint8),
        start=starts(table["size"]),
        size=table["size"],
        result=table["result"],
        counter=table["counter"],
    )


def _listed(frames: Iterable[BytesLike] | Packed) -> list[BytesLike]:
    return list(cast("Iterable[BytesLike]", frames))


def _asn_bytes(asns: Iterable[int] | None) -> bytes | NDArray[np.uint64]:
    """Return slot numbers as the extension module takes them."""
    if asns is None:
        return b""
    numbers = asns if isinstance(asns, np.ndarray) else list(asns)
    return np.ascontiguousarray(numbers, dtype=np.uint64)
