# SPDX-License-Identifier: Apache-2.0
"""Grain-128PLE: encryption at the physical layer, after channel coding.

RESEARCH ONLY, and NOT AUTHENTICATED. One keystream bit is added to each coded
bit. Before it decodes, a receiver flips the sign of each soft value (log-likelihood
ratio) whose keystream bit is 1. This costs no sensitivity.

In packed bits, bit i is bit i mod 8 (0 is the least significant) of byte i div 8.
Never use a nonce for two frames under one key.

>>> import numpy as np
>>> from samara.crypto import grain128ple
>>> grain128ple.keystream(bytes(16), bytes(12), bits=24)
array([191, 165,  42], dtype=uint8)
>>> soft = np.array([7, 7, 7, 7, 7, 7, 7, 7], dtype=np.int8)
>>> grain128ple.Keystream(bytes(16), bytes(12)).flip(soft)
>>> soft
array([-7, -7, -7, -7, -7, -7,  7, -7], dtype=int8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from samara import _core
from samara.crypto.bytes_like import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from samara.crypto.bytes_like import BytesLike

__all__ = [
    "KEY_SIZE",
    "NONCE_SIZE",
    "STATE_SIZE",
    "Keystream",
    "keystream",
    "keystream_batch",
    "time_keystream_batch",
]

KEY_SIZE = _core.GRAIN128PLE_KEY_SIZE
"""Bytes of a key."""
NONCE_SIZE = _core.GRAIN128PLE_NONCE_SIZE
"""Bytes of a nonce."""
STATE_SIZE = _core.keystream_state_size()
"""Bytes of a keystream's state in memory, on this machine."""

PackedBits: TypeAlias = npt.NDArray[np.uint8]

# A call of the C library cannot be interrupted. Skipping this many bits takes less
# than a second.
_SKIP_BITS = 1 << 26


class Keystream:
    """Position in a keystream. Each call continues where the last one stopped.

    Parameters
    ----------
    key, nonce
        16 and 12 bytes.

    Raises
    ------
    ValueError
        When the key or the nonce has another size.

    Notes
    -----
    The state is wiped when the object is deleted. A second thread that uses the
    object at the same time gets a RuntimeError.
    """

    __slots__ = ("_state",)

    def __init__(self, key: BytesLike, nonce: BytesLike) -> None:
        self._state = _core.Keystream(key, nonce)

    def keystream(self, bits: int) -> PackedBits:
        """Return the next `bits` keystream bits, packed.

        Unused bits of the last byte are zero.

        Raises
        ------
        ValueError
            When `bits` is negative.
        """
        _check_count("bits", bits)
        packed = np.empty((bits + 7) // 8, dtype=np.uint8)
        self._state.keystream_into(packed, bits)
        return packed

    def skip(self, bits: int) -> None:
        """Skip keystream bits. The time is proportional to their number.

        Raises
        ------
        ValueError
            When `bits` is negative.
        """
        _check_count("bits", bits)
        while bits > 0:
            step = min(bits, _SKIP_BITS)
            self._state.skip(step)
            bits -= step

    def xor(
        self,
        bits: BytesLike,
        bit_offset: int = 0,
        bit_count: int | None = None,
    ) -> None:
        """Encrypt or decrypt packed bits in place.

        Parameters
        ----------
        bits
            A writable buffer of bytes, such as a bytearray or an array of uint8.
        bit_offset
            First bit to change.
        bit_count
            Number of bits to change. Default: all to the end.

        Raises
        ------
        TypeError
            When `bits` is an array of anything but uint8.
        ValueError
            When the buffer is read-only or not contiguous, or does not have
            those bits.
        """
        if isinstance(bits, np.ndarray):
            _check_array("xor", bits, (np.dtype(np.uint8),))
        _check_count("bit_offset", bit_offset)
        if bit_count is None:
            bit_count = max(8 * len(view_of(bits)) - bit_offset, 0)
        _check_count("bit_count", bit_count)
        self._state.xor_bits(bits, bit_offset, bit_count)

    def flip(self, values: npt.NDArray[Any]) -> None:
        """Decrypt soft values in place; each takes one keystream bit.

        The sign is flipped where the keystream bit is 1. The lowest integer,
        which has no negative, becomes the highest.

        Parameters
        ----------
        values
            A writable, C-contiguous array of int8, int16 or float32, of any
            shape. It is not copied.

        Raises
        ------
        TypeError
            When it is anything else than such an array.
        ValueError
            When the array is read-only, not contiguous or not aligned.
        """
        _check_array("flip", values, tuple(_FLIPS))
        _FLIPS[values.dtype](self._state, values)


_FLIPS: dict[np.dtype[Any], Callable[[_core.Keystream, BytesLike], None]] = {
    np.dtype(np.int8): _core.Keystream.flip_int8,
    np.dtype(np.int16): _core.Keystream.flip_int16,
    np.dtype(np.float32): _core.Keystream.flip_float32,
}


def keystream(key: BytesLike, nonce: BytesLike, bits: int, skip: int = 0) -> PackedBits:
    """Return `bits` keystream bits after the first `skip`, packed.

    Raises
    ------
    ValueError
        When the key does not have 16 bytes, the nonce does not have 12 bytes, or a
        number of bits is negative.
    """
    position = Keystream(key, nonce)
    position.skip(skip)
    return position.keystream(bits)


def keystream_batch(
    streams: Iterable[tuple[BytesLike, BytesLike, int]],
) -> list[PackedBits]:
    """Return the first bits of many keystreams in one call.

    Parameters
    ----------
    streams
        Key, nonce and number of bits of each keystream.

    Returns
    -------
    list of arrays of uint8
        Packed, read-only, in the order of `streams`.

    Raises
    ------
    ValueError
        As for `keystream`.
    """
    wanted = list(streams)
    for _, _, bits in wanted:
        _check_count("bits", bits)
    packed = _core.keystream_batch(wanted)
    return [np.frombuffer(stream, dtype=np.uint8) for stream in packed]


def time_keystream_batch(size: int, count: int, repetitions: int) -> _core.Timing:
    """Measure how long a batch call takes in C: see `Suite.time_seal_batch`.

    Parameters
    ----------
    size
        Bytes of each keystream.
    count
        Keystreams in a batch, each with its own key; at most 65,536.
    repetitions
        Batches.

    Raises
    ------
    ValueError
        When the batch is too large.
    """
    return _core.time_keystream_batch(size, count, repetitions)


def _check_count(name: str, count: int) -> None:
    if count < 0:
        message = f"{name} must not be negative, and is {count}"
        raise ValueError(message)


def _check_array(
    verb: str, array: npt.NDArray[Any], dtypes: tuple[np.dtype[Any], ...]
) -> None:
    names = " or ".join(str(dtype) for dtype in dtypes)
    if not isinstance(array, np.ndarray):
        message = f"{verb} takes an array of {names}, not {type(array).__name__}"
        raise TypeError(message)
    if array.dtype not in dtypes:
        message = f"{verb} takes an array of {names}, not of {array.dtype}"
        raise TypeError(message)
    if not array.flags.c_contiguous:
        message = (
            f"{verb} takes a C-contiguous array, not one of shape {array.shape} "
            f"with strides {array.strides}"
        )
        raise ValueError(message)
    if not array.flags.writeable or not array.flags.aligned:
        state = "read-only" if not array.flags.writeable else "unaligned"
        message = f"{verb} works in place and cannot take this {state} array"
        raise ValueError(message)
