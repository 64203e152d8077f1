# SPDX-License-Identifier: Apache-2.0
"""One block, encrypted or decrypted by a block cipher without a mode."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from samara.crypto.block import block_cipher, block_ciphers
from samara.crypto.keys import Key, cipher_notice, key_of
from samara.hex_digits import bytes_of_hex
from samara.records import (
    Answer,
    Digest,
    Field,
    Parameter,
    Record,
    Request,
    Verbatim,
    record_class,
    request_class,
)


class Direction(StrEnum):
    """What is done with the block."""

    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"


def _block_ciphers() -> list[str]:
    return [each.slug for each in block_ciphers()]


@request_class
class BlockRequest(Request):
    """A block, and what is to be done with it."""

    cipher: Annotated[
        str,
        Parameter(
            is_argument=True,
            metavar="CIPHER",
            help="Block cipher, as `samara suites` lists it, such as aes128.",
            names=_block_ciphers,
            names_in_words="",
        ),
    ]
    direction: Annotated[
        Direction,
        Parameter(is_argument=True, metavar="encrypt|decrypt", help="What to do."),
    ]
    block: Annotated[
        str,
        Parameter(is_argument=True, metavar="HEX", help="One block, as hex digits."),
    ]
    key: Key


@record_class
class Block(Record):
    """One block, encrypted or decrypted."""

    cipher: Annotated[str, Field("Slug of the block cipher.")]
    direction: Annotated[Direction, Field("What was done.")]
    output: Annotated[bytes, Field("What became of the block.")]


def crypt_block(request: BlockRequest) -> Answer[Block]:
    """Yield what becomes of a block.

    Raises
    ------
    MisuseError
        When the cipher does not take the key or the block.
    UnknownNameError
        When there is no such block cipher.
    """
    cipher = block_cipher(request.cipher)
    key = yield from key_of(request.key, cipher)
    data = bytes_of_hex("the block", request.block)
    yield from cipher_notice(cipher)
    is_sealed = request.direction is Direction.ENCRYPT
    output = (cipher.encrypt if is_sealed else cipher.decrypt)(key, data)
    made = Block(cipher.slug, request.direction, output)
    yield Digest([made], [Verbatim(output.hex())])
