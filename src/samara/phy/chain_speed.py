# SPDX-License-Identifier: Apache-2.0
"""How fast frames are made and read."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.phy.coded import CodedFrames

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.coded import Code

ROUNDS = 5
_INFORMATION_BITS = 1 << 20
"""In one round."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Information bits a second of a core's time."""

    code: Code
    payload_size: int
    encrypts: bool
    encode: float
    decode: float
    chain: float
    """One after the other."""

    @property
    def rates(self) -> tuple[float, float, float]:
        """All three."""
        return self.encode, self.decode, self.chain


def measure(code: Code, payload_size: int, *, encrypts: bool) -> Speed:
    """Encode and decode frames, with clear soft bits, in this thread."""
    random = np.random.default_rng(1)
    frames = CodedFrames(code, payload_size, random.bytes(16))
    count = max(1, _INFORMATION_BITS // frames.information_bits)
    payloads = random.integers(0, 256, (count, payload_size), dtype=np.uint8)
    coded = frames.encode(payloads, 0, encrypts=encrypts)
    soft = 1 - 2 * coded.astype(np.float32)
    encode_s = _best(lambda: frames.encode(payloads, 0, encrypts=encrypts))
    decode_s = _best(lambda: frames.decode(soft, 0, decrypts=encrypts))
    bits = count * frames.information_bits
    return Speed(
        code,
        payload_size,
        encrypts,
        bits / encode_s,
        bits / decode_s,
        bits / (encode_s + decode_s),
    )


def _best(work: Callable[[], object]) -> float:
    """Return seconds of this thread's time: the least of several rounds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times)
