# SPDX-License-Identifier: Apache-2.0
"""NORX32-4-1 version 3, written from the specification to be read.

The comments name the sections of Aumasson, Jovanovic and Neves, "NORX v3.0", 2016.
The state is one list of 16 words; strings become words of 4 bytes, little-endian.
"""

BITS, ROUNDS, PARALLEL, TAG_BITS = 32, 4, 1, 128
MASK = 0xFFFFFFFF
RATE = 48
ROTATIONS = (8, 11, 16, 31)
HEADER, PAYLOAD, TAG = 0x01, 0x02, 0x08
COLUMNS = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)]
DIAGONALS = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]

State = list[int]


def words(data: bytes) -> State:
    """Return the words of bytes."""
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def rotate(word: int, count: int) -> int:
    """Return a word rotated to the right."""
    return (word >> count | word << BITS - count) & MASK


def quarter(s: State, a: int, b: int, c: int, d: int) -> None:
    """Do G on four words (2.4)."""

    def mix(x: int, y: int) -> int:
        return (x ^ y ^ (x & y) << 1) & MASK

    for first, second in (ROTATIONS[:2], ROTATIONS[2:]):
        s[a] = mix(s[a], s[b])
        s[d] = rotate(s[a] ^ s[d], first)
        s[c] = mix(s[c], s[d])
        s[b] = rotate(s[b] ^ s[c], second)


def permute(s: State, rounds: int = ROUNDS) -> None:
    """Do F as often as there are rounds."""
    for _ in range(rounds):
        for places in COLUMNS + DIAGONALS:
            quarter(s, *places)


def start(key: bytes, nonce: bytes) -> State:
    """Return the state after the initialisation (2.5)."""
    constants = list(range(16))
    permute(constants, 2)
    s = words(nonce) + words(key) + constants[8:]
    for i, parameter in enumerate((BITS, ROUNDS, PARALLEL, TAG_BITS)):
        s[12 + i] ^= parameter
    permute(s)
    add(s, 12, key)
    return s


def add(s: State, first: int, data: bytes) -> None:
    """Add bytes to the words from `first` on."""
    for i, word in enumerate(words(data)):
        s[first + i] ^= word


def blocks_of(data: bytes) -> list[bytes]:
    """Return padded blocks; none of an empty string."""
    if not data:
        return []
    padded = bytearray(data + b"\x01")
    padded += bytes(-len(padded) % RATE)
    padded[-1] |= 0x80
    return [bytes(padded[i : i + RATE]) for i in range(0, len(padded), RATE)]


def seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return ciphertext and tag."""
    s = start(key, nonce)
    for block in blocks_of(ad):
        s[15] ^= HEADER
        permute(s)
        add(s, 0, block)
    ciphertext = b""
    for block in blocks_of(message):
        s[15] ^= PAYLOAD
        permute(s)
        add(s, 0, block)
        ciphertext += b"".join(word.to_bytes(4, "little") for word in s[:12])
    s[15] ^= TAG
    permute(s)
    add(s, 12, key)
    permute(s)
    add(s, 12, key)
    tag = b"".join(word.to_bytes(4, "little") for word in s[12:])
    return ciphertext[: len(message)], tag
