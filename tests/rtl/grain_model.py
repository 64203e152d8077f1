# SPDX-License-Identifier: Apache-2.0
"""Grain-128AEADv2 and Grain-128PLE, a bit at a time, from the specification.

It shares nothing with core/, with samara.crypto or with the hardware: lists of bits,
and the functions as the specification prints them. Bit i of bytes is bit i mod 8,
from the least significant, of byte i div 8.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def bits_of(data: bytes) -> list[int]:
    """Return the bits of bytes, each byte's least significant bit first."""
    return [byte >> i & 1 for byte in data for i in range(8)]


def bytes_of(bits: Iterable[int]) -> bytes:
    """Return bytes of bits; the reverse of `bits_of`."""
    listed = list(bits)
    value = sum(bit << i for i, bit in enumerate(listed))
    return value.to_bytes((len(listed) + 7) // 8, "little")


def der_length(size: int) -> bytes:
    """Return a length as DER encodes it (ITU-T X.690, 8.1.3)."""
    if size < 0x80:
        return bytes([size])
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([0x80 + len(digits)]) + digits


def pre_output(key: bytes, nonce: bytes) -> Iterator[int]:
    """Yield the pre-output from the first clock behind the 384 of initialisation."""
    k = bits_of(key)
    b = deque(k)
    s = deque([*bits_of(nonce), *[1] * 31, 0])
    t = 0
    while True:
        h = (b[12] & s[8]) ^ (s[13] & s[20]) ^ (b[95] & s[42]) ^ (s[60] & s[79])
        h ^= b[12] & b[95] & s[94]
        y = h ^ s[93] ^ b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89]
        f = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96]
        g = s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96]
        g ^= (b[3] & b[67]) ^ (b[11] & b[13]) ^ (b[17] & b[18]) ^ (b[27] & b[59])
        g ^= (b[40] & b[48]) ^ (b[61] & b[65]) ^ (b[68] & b[84])
        g ^= (b[22] & b[24] & b[25]) ^ (b[70] & b[78] & b[82])
        g ^= b[88] & b[92] & b[93] & b[95]
        if t < 320:
            f, g = f ^ y, g ^ y
        elif t < 384:
            f, g = f ^ y ^ k[t - 256], g ^ y ^ k[t - 320]
        else:
            yield y
        for register, bit in ((s, f), (b, g)):
            register.popleft()
            register.append(bit)
        t += 1


def keystream(key: bytes, nonce: bytes, size: int) -> bytes:
    """Return the first bytes of Grain-128PLE's keystream."""
    return bytes_of(islice(pre_output(key, nonce), 128, 128 + 8 * size))


def aead(
    key: bytes, nonce: bytes, ad: bytes, data: bytes, *, opens: bool
) -> tuple[bytes, bytes]:
    """Return the message, encrypted or decrypted, and the tag."""
    y = pre_output(key, nonce)
    accumulator = list(islice(y, 64))
    register = deque(islice(y, 64))
    head = bits_of(der_length(len(ad)) + ad)
    stream = [*head, *bits_of(data), 1]
    output = []
    for i, bit in enumerate(stream):
        z, z_authentication = next(y), next(y)
        is_message = len(head) <= i < len(stream) - 1
        if is_message:
            output.append(bit ^ z)
        if bit ^ (z if opens and is_message else 0):
            accumulator = [a ^ r for a, r in zip(accumulator, register, strict=True)]
        register.popleft()
        register.append(z_authentication)
    return bytes_of(output), bytes_of(accumulator)
