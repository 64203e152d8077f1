# SPDX-License-Identifier: Apache-2.0
"""How fast frames are encoded, encrypted, decrypted and decoded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.figure import Figure, Origin
from samara.phy.coded import Code, CodedFrames
from samara.phy.parameters import PayloadSize
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Request,
    Title,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS = 5
_SOURCE = f"processor time of one thread, best of {ROUNDS} rounds"
_INFORMATION_BITS = 1 << 20
"""Information bits of one round."""


@request_class
class ChainRequest(Request):
    """Which codes are measured."""

    code: Annotated[
        tuple[Code, ...],
        Parameter(help="Channel code. Repeatable.", default_text=", ".join(Code)),
    ] = ()
    payload_size: PayloadSize = 252


@record_class
class _Row:
    """A row of tables; bit rates in Mbit/s."""

    code: Annotated[Code, Field("Channel code.", heading="code")]
    encryption: Annotated[str, Field("Cipher.", heading="encryption")]
    encode: Annotated[float, Field("Rate.", heading="encode,\xa0Mbit/s", digits=".1f")]
    decode: Annotated[float, Field("Rate.", heading="decode,\xa0Mbit/s", digits=".1f")]
    chain: Annotated[float, Field("Rate.", heading="chain,\xa0Mbit/s", digits=".1f")]


@record_class
class ChainSpeed(Record):
    """Bit rates of the chain: information bits per second of one core's time."""

    code: Annotated[Code, Field("Channel code.")]
    payload_bytes: Annotated[int, Field("Payload of a frame.", unit="byte")]
    encrypts: Annotated[bool, Field("Whether the bits are encrypted.")]
    encode: Annotated[Figure, Field("Bit rate of encoding.", unit="bit/s")]
    decode: Annotated[Figure, Field("Bit rate of decoding.", unit="bit/s")]
    chain: Annotated[
        Figure, Field("Bit rate of both, one after the other.", unit="bit/s")
    ]

    def table_rows(self) -> Sequence[_Row]:
        """Return the row of tables."""
        rates = (self.encode, self.decode, self.chain)
        encryption = "Grain-128PLE" if self.encrypts else "none"
        return [_Row(self.code, encryption, *(rate.value / 1e6 for rate in rates))]


def measure_chains(request: ChainRequest) -> Answer[ChainSpeed]:
    """Yield how fast the chain is with each code, without and with encryption."""
    yield Title("")
    for code in request.code or Code:
        for encrypts in (False, True):
            yield measure(code, request.payload_size, encrypts=encrypts)


def measure(code: Code, payload_size: int, *, encrypts: bool) -> ChainSpeed:
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
    return ChainSpeed(
        code,
        payload_size,
        encrypts,
        _rate(bits / encode_s),
        _rate(bits / decode_s),
        _rate(bits / (encode_s + decode_s)),
    )


def _rate(value: float) -> Figure:
    return Figure(value, "bit/s", Origin.HOST_CLOCK, _SOURCE)


def _best(work: Callable[[], object]) -> float:
    """Return the least processor time of several rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times)
