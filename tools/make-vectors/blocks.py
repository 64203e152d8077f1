# SPDX-License-Identifier: Apache-2.0
"""Block ciphers from Crypto++, through the program in blocks.cpp; ModSpeck."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from modes import BlockFunction

SOURCE = Path(__file__).with_name("blocks.cpp")

# ModSpeck rotates part a of the key by a times this many bits.
MODSPECK_ROTATION = 7


class Blocks:
    """A running blocks program."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        """Talk to the program over its two pipes."""
        self._requests = requests
        self._answers = answers

    def encrypt(self, cipher: str, key: bytes, block: bytes) -> bytes:
        """Return one block encrypted under the key."""
        self._requests.write(f"{cipher} {key.hex()} {block.hex()}\n")
        self._requests.flush()
        return bytes.fromhex(self._answers.readline())

    def function(self, cipher: str, key: bytes) -> BlockFunction:
        """Return the encryption function of a cipher under a key.

        The cipher is aes, simon128, speck128 or modspeck128.
        """
        if cipher == "modspeck128":
            cipher, key = "speck128", modspeck_key(key)
        return lambda block: self.encrypt(cipher, key, block)


@contextmanager
def running_blocks() -> Iterator[Blocks]:
    """Compile and run blocks.cpp for as long as the context lasts."""
    with tempfile.TemporaryDirectory() as directory:
        program = str(Path(directory) / "blocks")
        build = ["g++", "-O1", "-o", program, str(SOURCE), "-lcryptopp"]
        subprocess.run(build, check=True)
        with subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield Blocks(process.stdin, process.stdout)


def rotate_right(value: int, count: int, width: int) -> int:
    """Rotate a number of the given width in bits to the right."""
    count %= width
    return (value >> count | value << (width - count)) & ((1 << width) - 1)


def modspeck_key(key: bytes) -> bytes:
    """Return the Speck key that ModSpeck derives from its own.

    Four parts in byte order, each a little-endian number, are added to each
    other in place, so that the last one meets the new first one; then part a
    is rotated right by a * 7 bits within its own width.
    """
    size = len(key) // 4
    parts = [int.from_bytes(key[i * size : (i + 1) * size], "little") for i in range(4)]
    for a in range(4):
        parts[a] ^= parts[(a + 1) % 4]
    rotated = (
        rotate_right(part, a * MODSPECK_ROTATION, 8 * size)
        for a, part in enumerate(parts)
    )
    return b"".join(part.to_bytes(size, "little") for part in rotated)
