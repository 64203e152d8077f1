# SPDX-License-Identifier: Apache-2.0
"""Frame synchronisation of Grain-128PLE, which adds no bits to the frame.

The frame counter is part of the nonce and is not sent. A receiver applies the
keystreams of a window of counters to the soft values and selects the one that gives
a codeword of the channel code: gr-fec's convolutional code of rate 1/2, K = 7,
terminated. samara/ple_sync.h describes the search, and why the probability that
noise is taken for a frame is below 1e-9.

Soft values are log-likelihood ratios in eighths, int8, positive for bit 0, in
the order in which the bits were sent (`places`): see `quantise`.

>>> import numpy as np
>>> from samara.crypto import ple_sync
>>> receiver = ple_sync.Receiver(bytes(16), direction=0, link_id=1, next_counter=7)
>>> receiver.stage, receiver.windows
(Stage.WIDE, [(7, 4096)])
>>> receiver.search(np.zeros(844, np.int8)) is None
True
>>> receiver.miss()
>>> ple_sync.nonce(ple_sync.Domain.KEYSTREAM, 0, 1, 7).hex()
'010000010000000000000007'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from samara import _core
from samara._core import Domain, Found, Stage

if TYPE_CHECKING:
    from samara.crypto.bytes_like import BytesLike

__all__ = [
    "AIR_VERSION",
    "WIDE_WINDOW",
    "Domain",
    "Found",
    "Receiver",
    "Stage",
    "nonce",
    "places",
    "quantise",
    "scan",
]

AIR_VERSION = _core.PLE_AIR_VERSION
"""Version of the format on the air. It is not sent: both ends must use the same.

1: bits in the order of the code. 2: bits interleaved (`places`).
"""

WIDE_WINDOW = _core.PLE_WIDE_WINDOW
"""Counters that a search tries in the stage WIDE."""

SoftValues: TypeAlias = npt.NDArray[np.int8]

_STEPS_PER_UNIT = 8
_HIGHEST = 127


class Receiver(_core.PleReceiver):
    """One direction of a link, at the end that receives.

    Parameters
    ----------
    key
        16 bytes.
    direction, link_id
        0 to 255, and 0 to 65535.
    next_counter
        Lowest counter to accept: the last accepted one plus one. The caller must
        store it so that it survives a restart.
    """

    __slots__ = ()

    def search(self, soft: SoftValues) -> Found | None:
        """Search the counter of the frame with these soft values; None if not found.

        The state does not change until `accept` or `miss` is called.

        Raises
        ------
        TypeError
            When `soft` is not an array of int8.
        """
        return self.search_bytes(_checked(soft))


def scan(
    key: BytesLike,
    soft: SoftValues,
    counters: range,
    *,
    direction: int = 0,
    link_id: int = 0,
) -> Found | None:
    """Search a range of counters with step 1, without a receiver.

    Raises
    ------
    TypeError
        When `soft` is not an array of int8.
    ValueError
        When the key does not have 16 bytes, or the step is not 1.
    """
    if counters.step != 1:
        message = f"the range of counters must have step 1, not {counters.step}"
        raise ValueError(message)
    first, count = counters.start, len(counters)
    return _core.ple_scan(
        key,
        direction=direction,
        link_id=link_id,
        first=first,
        count=count,
        soft=_checked(soft),
    )


def nonce(domain: Domain, direction: int, link_id: int, counter: int) -> bytes:
    """Return the 12 bytes of the nonce of a frame."""
    return _core.ple_nonce(domain, direction, link_id, counter)


def places(count: int) -> npt.NDArray[np.int64]:
    """Return the place on the air of each of a frame's `count` coded bits.

    `sent[places(count)] = coded` interleaves and `heard[places(count)]` undoes
    it. The order is public: samara/ple_interleave.h.

    >>> places(8).tolist()
    [0, 5, 2, 7, 4, 1, 6, 3]
    """
    order: npt.NDArray[np.int64] = np.arange(count) * _core.ple_stride(count)
    return order % max(count, 1)


def quantise(ratios: npt.NDArray[Any]) -> SoftValues:
    """Convert log-likelihood ratios, positive for bit 0, to soft values of int8."""
    steps = np.clip(np.rint(_STEPS_PER_UNIT * ratios), -_HIGHEST, _HIGHEST)
    quantised: SoftValues = steps.astype(np.int8)
    return quantised


def _checked(soft: SoftValues) -> SoftValues:
    if getattr(soft, "dtype", None) != np.int8:
        kind = getattr(soft, "dtype", type(soft).__name__)
        message = f"soft values must be an array of int8, not of {kind}"
        raise TypeError(message)
    return np.ascontiguousarray(soft)
