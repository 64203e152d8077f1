# SPDX-License-Identifier: Apache-2.0
"""Ketje Jr version 2, written from the specification to be read.

The comments name the sections of "CAESAR submission: Ketje v2", 2016. Strings are
lists of bits, and Keccak-p works on bits a[x][y][z], as FIPS 202 describes it.
"""

from dataclasses import dataclass, field

WIDTH, LANE = 200, 8
RATE = 16
ROUNDS_OF_F = 18
START, STEP, STRIDE = 12, 1, 6

Bits = list[int]


def bits_of(data: bytes) -> Bits:
    """Return the bits of bytes, from the least significant of each."""
    return [byte >> i & 1 for byte in data for i in range(8)]


def bytes_of(bits: Bits) -> bytes:
    """Return bytes of bits, from the least significant of each."""
    octets = [bits[i : i + 8] for i in range(0, len(bits), 8)]
    return bytes(sum(bit << i for i, bit in enumerate(octet)) for octet in octets)


def index(x: int, y: int, z: int) -> int:
    """Return the place of a bit in the string."""
    return LANE * (5 * (y % 5) + x % 5) + z % LANE


PLACES = [(x, y, z) for y in range(5) for x in range(5) for z in range(LANE)]


def theta(a: Bits) -> Bits:
    """Add the parities of two columns to each bit (FIPS 202, 3.2.1)."""

    def parity(x: int, z: int) -> int:
        return sum(a[index(x, y, z)] for y in range(5)) & 1

    return [a[index(x, y, z)] ^ parity(x - 1, z) ^ parity(x + 1, z - 1)
            for x, y, z in PLACES]  # fmt: skip


def rho(a: Bits) -> Bits:
    """Rotate each lane (3.2.2)."""
    offsets, x, y = {(0, 0): 0}, 1, 0
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2
        x, y = y, (2 * x + 3 * y) % 5
    return [a[index(x, y, z - offsets[x, y])] for x, y, z in PLACES]


def pi(a: Bits) -> Bits:
    """Move the lanes (3.2.3)."""
    return [a[index(x + 3 * y, x, z)] for x, y, z in PLACES]


def pi_inverse(a: Bits) -> Bits:
    """Move the lanes back."""
    places = pi(list(range(WIDTH)))
    return [a[places.index(i)] for i in range(WIDTH)]


def chi(a: Bits) -> Bits:
    """Combine the bits of each row (3.2.4)."""
    return [
        a[index(x, y, z)] ^ (a[index(x + 1, y, z)] ^ 1) & a[index(x + 2, y, z)]
        for x, y, z in PLACES
    ]


def constant_bit(t: int) -> int:
    """Return bit t of the sequence that round constants are made of (3.2.5)."""
    register = [1, 0, 0, 0, 0, 0, 0, 0]
    for _ in range(t % 255):
        register = [0, *register]
        for place in (0, 4, 5, 6):
            register[place] ^= register[8]
        register = register[:8]
    return register[0]


def iota(a: Bits, number: int) -> Bits:
    """Add the constant of a round."""
    a = list(a)
    for j in range(LANE.bit_length()):
        a[index(0, 0, 2**j - 1)] ^= constant_bit(j + 7 * number)
    return a


def keccak_star(a: Bits, rounds: int) -> Bits:
    """Return pi(Keccak-p(pi^-1(a))), with the last rounds (Ketje, 2.1)."""
    a = pi_inverse(a)
    for number in range(ROUNDS_OF_F - rounds, ROUNDS_OF_F):
        a = iota(chi(pi(rho(theta(a)))), number)
    return pi(a)


def padding(size: int, length: int) -> Bits:
    """Return pad10*1 of a string of `length` bits, up to `size` bits."""
    return [1, *[0] * (size - length - 2), 1]


@dataclass
class Session:
    """A MonkeyWrap object: messages one after the other (3.1)."""

    s: Bits = field(default_factory=list)

    def start(self, key: bytes, nonce: bytes) -> None:
        """Begin (MonkeyDuplex.start of the packed key and the nonce)."""
        packed = [*bits_of(bytes([len(key) + 2]) + key), 1, *[0] * 7]
        text = packed + bits_of(nonce)
        self.s = keccak_star(text + padding(WIDTH, len(text)), START)

    def block(self, text: Bits, rounds: int) -> None:
        """Do MonkeyDuplex.step or stride."""
        size = RATE + 4
        block = text + padding(size, len(text))
        self.s = [a ^ b for a, b in zip(self.s, block + [0] * WIDTH, strict=False)]
        self.s = keccak_star(self.s, rounds)

    def wrap(self, ad: bytes, message: bytes, tag_size: int) -> tuple[bytes, bytes]:
        """Return ciphertext and tag of the next message."""
        *data, last_data = blocks_of(bits_of(ad))
        for block in data:
            self.block([*block, 0, 0], STEP)
        self.block([*last_data, 0, 1], STEP)
        ciphertext: Bits = []
        *texts, last_text = blocks_of(bits_of(message))
        for block in texts:
            ciphertext += [a ^ b for a, b in zip(block, self.s, strict=False)]
            self.block([*block, 1, 1], STEP)
        ciphertext += [a ^ b for a, b in zip(last_text, self.s, strict=False)]
        self.block([*last_text, 1, 0], STRIDE)
        tag = self.s[:RATE]
        while len(tag) < 8 * tag_size:
            self.block([0], STEP)
            tag = tag + self.s[:RATE]
        return bytes_of(ciphertext), bytes_of(tag)[:tag_size]


def blocks_of(bits: Bits) -> list[Bits]:
    """Return blocks of RATE bits, at least one; the last may be shorter."""
    return [bits[i : i + RATE] for i in range(0, max(len(bits), 1), RATE)]


def seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return ciphertext and tag with the parameters of CAESAR."""
    session = Session()
    session.start(key, nonce)
    return session.wrap(ad, message, 12)
