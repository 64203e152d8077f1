# SPDX-License-Identifier: Apache-2.0
"""ACORN-128 version 3 bit by bit, written from the specification to be read.

The comments name the sections of Hongjun Wu, "ACORN: A Lightweight Authenticated
Cipher (v3)", 2016.
"""

from dataclasses import dataclass, field

STATE_BITS = 293
TAG_BITS = 128

# Each bit on the left gets those on the right added before a clock (1.3.2).
ADDED = ((289, 235, 230), (230, 196, 193), (193, 160, 154), (154, 111, 107),
         (107, 66, 61), (61, 23, 0))  # fmt: skip


def majority(x: int, y: int, z: int) -> int:
    """Return the bit that two or three of the bits are."""
    return x & y ^ x & z ^ y & z


def choose(x: int, y: int, z: int) -> int:
    """Return y if x is 1, otherwise z."""
    return x & y ^ (x ^ 1) & z


def bits_of(data: bytes) -> list[int]:
    """Return the bits of bytes, from the least significant of each."""
    return [byte >> i & 1 for byte in data for i in range(8)]


def bytes_of(bits: list[int]) -> bytes:
    """Return bytes of bits, from the least significant of each."""
    octets = [bits[i : i + 8] for i in range(0, len(bits), 8)]
    return bytes(sum(bit << i for i, bit in enumerate(octet)) for octet in octets)


@dataclass
class Acorn:
    """The state between two clocks."""

    s: list[int] = field(default_factory=lambda: [0] * STATE_BITS)

    def keystream(self) -> int:
        """Do the additions of a clock; return its keystream bit (1.3.1)."""
        s = self.s
        for target, first, second in ADDED:
            s[target] ^= s[first] ^ s[second]
        return (
            s[12] ^ s[154] ^ majority(s[235], s[61], s[193])
            ^ choose(s[230], s[111], s[66])
        )  # fmt: skip

    def shift(self, bit: int, ca: int, cb: int, keystream: int) -> None:
        """Finish the clock: feed back, and take in a bit."""
        s = self.s
        feedback = (
            s[0] ^ s[107] ^ 1 ^ majority(s[244], s[23], s[160])
            ^ ca & s[196] ^ cb & keystream
        )  # fmt: skip
        self.s = [*s[1:], feedback ^ bit]

    def absorb(self, bits: list[int], ca: int, cb: int) -> list[int]:
        """Take in bits; return the keystream."""
        output = []
        for bit in bits:
            output.append(self.keystream())
            self.shift(bit, ca, cb, output[-1])
        return output

    def pad(self, cb: int) -> None:
        """Separate what comes next (1.3.4, 1.3.5)."""
        self.absorb([1] + [0] * 127, 1, cb)
        self.absorb([0] * 128, 0, cb)


def seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return ciphertext and tag."""
    state, key_bits = Acorn(), bits_of(key)
    inverted = [key_bits[0] ^ 1, *key_bits[1:]]
    state.absorb(key_bits + bits_of(nonce) + inverted + 11 * key_bits, 1, 1)
    state.absorb(bits_of(ad), 1, 1)
    state.pad(1)
    plain = bits_of(message)
    stream = state.absorb(plain, 1, 0)
    state.pad(0)
    tag = state.absorb([0] * 768, 1, 1)[-TAG_BITS:]
    ciphertext = [a ^ b for a, b in zip(plain, stream, strict=True)]
    return bytes_of(ciphertext), bytes_of(tag)
