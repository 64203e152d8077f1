# SPDX-License-Identifier: Apache-2.0
"""A bit-level model of Grain-128AEAD, versions 1 and 2.

Written from the specifications, one clock at a time, to be read beside them.
The versions differ in their start-up only.
"""

from collections.abc import Iterator

REGISTER_BITS = 128
TAG_BITS = 64


def bits_of(octets: bytes) -> Iterator[int]:
    """Yield the bits of a string, the least significant of each byte first."""
    for octet in octets:
        for position in range(8):
            yield octet >> position & 1


def octets_of(bits: list[int]) -> bytes:
    """Return the string that has these bits."""
    number = sum(bit << position for position, bit in enumerate(bits))
    return number.to_bytes(len(bits) // 8, "little")


def der_length(size: int) -> bytes:
    """Return the DER encoding of a length."""
    if size < 128:
        return bytes([size])
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([128 + len(octets)]) + octets


class Generator:
    """The pre-output generator: NFSR b and LFSR s, bit 0 the oldest."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        """Load key and nonce; 31 ones and a zero follow the nonce."""
        self.b = int.from_bytes(key, "little")
        self.s = int.from_bytes(nonce, "little") | (2**31 - 1) << 96

    def clock(
        self, *, feed_back: bool = False, to_lfsr: int = 0, to_nfsr: int = 0
    ) -> int:
        """Return one pre-output bit and step both registers."""
        b, s = self.b, self.s
        lfsr = s ^ s >> 7 ^ s >> 38 ^ s >> 70 ^ s >> 81 ^ s >> 96
        nfsr = s ^ self._nfsr_feedback()
        y = self._filter() ^ s >> 93
        y ^= b >> 2 ^ b >> 15 ^ b >> 36 ^ b >> 45 ^ b >> 64 ^ b >> 73 ^ b >> 89
        if feed_back:
            lfsr ^= y
            nfsr ^= y
        self.s = s >> 1 | ((lfsr ^ to_lfsr) & 1) << (REGISTER_BITS - 1)
        self.b = b >> 1 | ((nfsr ^ to_nfsr) & 1) << (REGISTER_BITS - 1)
        return y & 1

    def _nfsr_feedback(self) -> int:
        b = self.b
        return (
            (b ^ b >> 26 ^ b >> 56 ^ b >> 91 ^ b >> 96)
            ^ (b >> 3 & b >> 67)
            ^ (b >> 11 & b >> 13)
            ^ (b >> 17 & b >> 18)
            ^ (b >> 27 & b >> 59)
            ^ (b >> 40 & b >> 48)
            ^ (b >> 61 & b >> 65)
            ^ (b >> 68 & b >> 84)
            ^ (b >> 22 & b >> 24 & b >> 25)
            ^ (b >> 70 & b >> 78 & b >> 82)
            ^ (b >> 88 & b >> 92 & b >> 93 & b >> 95)
        )

    def _filter(self) -> int:
        b, s = self.b, self.s
        return (
            (b >> 12 & s >> 8)
            ^ (s >> 13 & s >> 20)
            ^ (b >> 95 & s >> 42)
            ^ (s >> 60 & s >> 79)
            ^ (b >> 12 & b >> 95 & s >> 94)
        )


class Grain:
    """Grain-128AEAD of one version, started with a key and a nonce."""

    def __init__(self, version: int, key: bytes, nonce: bytes) -> None:
        """Run the start-up, up to the filled accumulator and register."""
        self.generator = Generator(key, nonce)
        bits = list(bits_of(key))
        start = self._start_version_1 if version == 1 else self._start_version_2
        first, second = start(bits)
        self.accumulator, self.register = first, second

    def _start_version_1(self, key: list[int]) -> tuple[list[int], list[int]]:
        """Add the key to the LFSR while accumulator and register fill."""
        for _ in range(256):
            self.generator.clock(feed_back=True)
        filled = [self.generator.clock(to_lfsr=bit) for bit in key]
        return filled[:TAG_BITS], filled[TAG_BITS:]

    def _start_version_2(self, key: list[int]) -> tuple[list[int], list[int]]:
        """Add both halves of the key at once, before anything fills."""
        for _ in range(320):
            self.generator.clock(feed_back=True)
        for low, high in zip(key[:64], key[64:], strict=True):
            self.generator.clock(feed_back=True, to_lfsr=high, to_nfsr=low)
        filled = [self.generator.clock() for _ in range(2 * TAG_BITS)]
        return filled[:TAG_BITS], filled[TAG_BITS:]

    def _authenticate(self, bit: int) -> None:
        """Take one bit into the accumulator, with the odd pre-output bit."""
        odd = self.generator.clock()
        if bit:
            pairs = zip(self.accumulator, self.register, strict=True)
            self.accumulator = [a ^ r for a, r in pairs]
        self.register = [*self.register[1:], odd]

    def crypt(self, ad: bytes, data: bytes, *, decrypt: bool) -> tuple[bytes, bytes]:
        """Return the encrypted or decrypted data, and the tag."""
        for bit in bits_of(der_length(len(ad)) + ad):
            self.generator.clock()
            self._authenticate(bit)
        output = []
        for bit in bits_of(data):
            output.append(bit ^ self.generator.clock())
            self._authenticate(output[-1] if decrypt else bit)
        self.generator.clock()
        self._authenticate(1)
        return octets_of(output), octets_of(self.accumulator)


def seal(
    version: int, key: bytes, nonce: bytes, ad: bytes, message: bytes
) -> tuple[bytes, bytes]:
    """Return ciphertext and tag."""
    return Grain(version, key, nonce).crypt(ad, message, decrypt=False)


def tag_of_ciphertext(
    version: int, key: bytes, nonce: bytes, ad: bytes, ciphertext: bytes
) -> bytes:
    """Return the tag that a ciphertext must have to be accepted."""
    return Grain(version, key, nonce).crypt(ad, ciphertext, decrypt=True)[1]
