# SPDX-License-Identifier: Apache-2.0
"""Many frames that lie one behind the other in one array."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from samara.link.ieee802154.frames.frame import build

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from samara.crypto.bytes_like import BytesLike
    from samara.link.ieee802154.frames.frame import Frame

SEQUENCE_AT = 2
"""Where the sequence number of a frame lies: behind the frame control field."""


@runtime_checkable
class Packed(Protocol):
    """What has the arrays of `PackedFrames`."""

    @property
    def data(self) -> NDArray[np.uint8]:
        """Bytes of all frames, one behind the other."""

    @property
    def size(self) -> NDArray[np.uint32]:
        """Length of each frame in bytes; their sum is the length of `data`."""


@dataclass(frozen=True, slots=True)
class PackedFrames:
    """Frames that lie one behind the other in one array.

    Parameters
    ----------
    data
        Bytes of all frames (uint8).
    size
        Length of each frame in bytes; their sum is the length of `data`.
    """

    data: NDArray[np.uint8]
    size: NDArray[np.uint32]


def pack(
    frames: Sequence[Frame],
    payloads: Iterable[BytesLike],
    *,
    turns: Iterable[int] | None = None,
    sequence: int | None = None,
) -> PackedFrames:
    """Return frames, not yet protected, that have few headers and many payloads.

    It is some thirty times as quick as building each frame.

    Parameters
    ----------
    frames
        What the frames are like, such as one for each receiver; their payloads are
        not used.
    payloads
        Payload of each frame.
    turns
        For each payload, the place in `frames` of its header. Default: the first.
    sequence
        Sequence number of the first frame, from which they rise by 1 (modulo 256).
        Default: those of `frames`.

    Raises
    ------
    ValueError
        When there are not as many turns as payloads, or `sequence` is given for
        frames without a sequence number.
    """
    headers = [build(replace(frame, payload=b"")) for frame in frames]
    contents = list(payloads)
    order = list(repeat(0, len(contents)) if turns is None else turns)
    whole = [
        headers[turn] + memoryview(content)  # type: ignore[arg-type]
        for turn, content in zip(order, contents, strict=True)
    ]
    data = np.frombuffer(bytearray().join(whole), np.uint8)
    size = np.array([len(one) for one in whole], np.uint32)
    if sequence is not None:
        _number(data, size, frames, sequence)
    return PackedFrames(data, size)


def _number(
    data: NDArray[np.uint8],
    size: NDArray[np.uint32],
    frames: Sequence[Frame],
    sequence: int,
) -> None:
    if any(frame.sequence is None for frame in frames):
        text = "there are frames without a sequence number to count"
        raise ValueError(text)
    data[starts(size) + SEQUENCE_AT] = (sequence + np.arange(len(size))) % 256


def starts(size: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return where each of several frames begins that lie one behind the other."""
    start: NDArray[np.int64] = np.cumsum(size, dtype=np.int64) - size
    return start


def packed_arrays(
    frames: Iterable[BytesLike] | Packed,
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]] | None:
    """Return data and sizes as the extension module takes them; None for a list.

    Sizes of another type are converted; the data are never copied.
    """
    # An array of payloads has such attributes, too.
    if isinstance(frames, np.ndarray) or not isinstance(frames, Packed):
        return None
    data = np.asarray(frames.data)
    if data.dtype != np.uint8:
        text = f"the data of packed frames are of type uint8, not {data.dtype}"
        raise TypeError(text)
    return data, _sizes(frames.size)


def _sizes(sizes: object) -> NDArray[np.uint32]:
    given = np.asarray(sizes)
    if not np.issubdtype(given.dtype, np.integer):
        text = f"sizes of packed frames are whole numbers, not {given.dtype}"
        raise TypeError(text)
    if given.size and (given.min() < 0 or given.max() > np.iinfo(np.uint32).max):
        text = "a size of a packed frame is out of range"
        raise ValueError(text)
    return np.ascontiguousarray(given, dtype=np.uint32)
