# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames made in another way, to compare the blocks with."""

from __future__ import annotations

import math
import zlib

import numpy as np

from samara import crypto
from samara.crypto import grain128ple

KEYSTREAM, TAG = 1, 2


def nonce(domain: int, counter: int, direction: int = 0, link_id: int = 0) -> bytes:
    head = bytes([domain, direction]) + link_id.to_bytes(2, "big")
    return head + counter.to_bytes(8, "big")


def keystream(number: int, bits: int, key: str, **link: int) -> np.ndarray:
    """Return the keystream bits of frame `number`."""
    frame_nonce = nonce(KEYSTREAM, number, **link)
    packed = grain128ple.keystream(bytes.fromhex(key), frame_nonce, bits)
    return np.unpackbits(packed, count=bits, bitorder="little")


def checked(payload: bytes, counter: int, key: str | None, **link: int) -> bytes:
    """Return a payload with its tag, or without a key with its CRC."""
    if key is None:
        return payload + zlib.crc32(payload).to_bytes(4, "big")
    suite = crypto.suite("grain128aead")
    tag = suite.seal(
        bytes.fromhex(key),
        nonce(TAG, counter, **link),
        b"",
        associated_data=payload,
    )
    return payload + tag[:4]


def interleaved(coded: np.ndarray) -> np.ndarray:
    """Put coded bits into the order in which they are sent, from its definition."""
    count = len(coded)
    stride = count * 40503 // 65536
    while math.gcd(stride, count) != 1:
        stride += 1
    sent = np.empty_like(coded)
    for i, bit in enumerate(coded):
        sent[i * stride % count] = bit
    return sent


def convolutional(info: np.ndarray) -> np.ndarray:
    """Encode bits with the K = 7 code, from its definition, terminated."""
    padded = np.concatenate([np.zeros(6, np.uint8), info, np.zeros(6, np.uint8)])
    coded = np.empty((len(info) + 6, 2), np.uint8)
    for column, polynomial in enumerate((109, 79)):
        taps = [delay for delay in range(7) if polynomial >> delay & 1]
        delayed = [padded[6 - delay : len(padded) - delay] for delay in taps]
        coded[:, column] = np.bitwise_xor.reduce(delayed)
    return coded.reshape(-1)
