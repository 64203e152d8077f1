# SPDX-License-Identifier: Apache-2.0
"""How fast frames are encoded, encrypted, decrypted and decoded."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.figure import Figure, Origin
from samara.phy.coded import CodedFrames

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.coded import Code

ROUNDS = 5
_INFORMATION_BITS = 1 << 20
"""Information bits of one round."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Bit rates of the chain: information bits per second of one core's time."""

    code: Code
    payload_size: int
    encrypts: bool
    encode: float
    decode: float
    chain: float
    """Bit rate of encoding and decoding, one after the other."""

    @property
    def rates(self) -> tuple[float, float, float]:
        """The bit rates `encode`, `decode` and `chain`."""
        return self.encode, self.decode, self.chain

    def as_json(self) -> dict[str, Any]:
        """Return all fields, and the bit rates as figures."""
        source = f"processor time of one thread, best of {ROUNDS} rounds"
        return {
            "code": self.code,
            "payload_bytes": self.payload_size,
            "encrypts": self.encrypts,
            **{
                name: Figure(rate, "bit/s", Origin.HOST_CLOCK, source).as_json()
                for name, rate in zip(
                    ("encode", "decode", "chain"), self.rates, strict=True
                )
            },
        }


def measure(code: Code, payload_size: int, *, encrypts: bool) -> Speed:
    """Encode and decode frames without noise in this thread, and time it."""
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
    """Return the least processor time of several rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times)
