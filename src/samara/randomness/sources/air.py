# SPDX-License-Identifier: Apache-2.0
"""Bits on the air: frames of convolutional code, with Grain-128PLE and without.

The payload is the same text in each frame, so that all that may look random is due to
the cipher.
"""

from __future__ import annotations

import numpy as np

from samara.errors import MisuseError
from samara.phy.coded import Code, CodedFrames
from samara.randomness.sources.computed import Computed, contiguous, of_units
from samara.randomness.sources.keys import drawn

_TEXT = b"21.5 C, 1013 hPa, 41 % RH; battery 2.97 V; all is well here."


def on_air(name: str, seed: int) -> Computed:
    """Return the coded bits of frames whose counters are counted up: ple or plain."""
    if name not in ("ple", "plain"):
        message = f"unknown bits on the air {name!r}: give ple or plain"
        raise MisuseError(message)
    key = drawn(16, seed, "key", "air")
    frames = CodedFrames(Code.CONV, len(_TEXT), key)
    # Whole bytes: so many frames that their bits are.
    unit = 8
    size = unit * frames.coded_bits // 8

    def read(first: int, count: int) -> bytes:
        payloads = np.tile(np.frombuffer(_TEXT, np.uint8), (unit * count, 1))
        bits = frames.encode(payloads, unit * first, encrypts=name == "ple")
        return np.packbits(bits.reshape(-1)).tobytes()

    facts = {"key": key.hex(), "payload": _TEXT.decode()}
    return Computed(contiguous(of_units(size, read)), facts)
