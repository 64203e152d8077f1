# SPDX-License-Identifier: Apache-2.0
"""Block ciphers by name: single blocks, for tests and experiments.

Do not encrypt messages with a block cipher alone. Use a `suite`.

For AES, the bytes of keys and blocks are in the order in which FIPS 197 prints them.
Speck, Simon and ModSpeck follow their designers' implementation guide (2019):
words are little-endian, the low word first. Their paper prints the high word
first; its Speck64/96 vector, key ``13121110 0b0a0908 03020100``, plaintext
``74614620 736e6165``, ciphertext ``9f7952ec 4175946c``, is here

>>> from samara import crypto
>>> speck = crypto.block_cipher("speck64-96")
>>> key = bytes.fromhex("0001020308090a0b10111213")
>>> speck.encrypt(key, bytes.fromhex("65616e7320466174")).hex()
'6c947541ec52799f'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara import _core
from samara.crypto.names import Catalogue, Standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.crypto.bytes_like import BytesLike


@dataclass(frozen=True, slots=True)
class BlockCipher:
    """A block cipher of the registry. Sizes are in bytes."""

    slug: str
    standing: Standing
    source: str
    """Where the cipher is defined."""
    note: str
    """Warning or remark for the user; may be empty."""
    key_size: int
    block_size: int
    _row: _core.BlockCipherRow = field(repr=False, compare=False)

    def encrypt(self, key: BytesLike, block: BytesLike) -> bytes:
        """Encrypt one block.

        Parameters
        ----------
        key, block
            `key_size` and `block_size` bytes.

        Raises
        ------
        ValueError
            When the key or the block has another size.
        """
        return self._row.encrypt(key, block)

    def decrypt(self, key: BytesLike, block: BytesLike) -> bytes:
        """Decrypt one block; the reverse of `encrypt`."""
        return self._row.decrypt(key, block)

    def __reduce__(self) -> tuple[Callable[[str], BlockCipher], tuple[str]]:
        """Pickle the name only: the row belongs to the C library."""
        return block_cipher, (self.slug,)


def _from_row(row: _core.BlockCipherRow) -> BlockCipher:
    return BlockCipher(
        slug=row.slug,
        standing=Standing(row.standing),
        source=row.source,
        note=row.note,
        key_size=row.key_size,
        block_size=row.block_size,
        _row=row,
    )


_CATALOGUE = Catalogue(
    "block cipher", lambda: map(_from_row, _core.block_cipher_rows())
)


def block_cipher(slug: str) -> BlockCipher:
    """Return the block cipher with this name, such as ``"aes128"``.

    Raises
    ------
    UnknownNameError
        When there is no such name. The text suggests the nearest names.

    >>> block_cipher("aes128").block_size
    16
    """
    return _CATALOGUE.find(slug)


def block_ciphers() -> list[BlockCipher]:
    """Return all block ciphers, in the order of the registry.

    >>> block_ciphers()[0].slug
    'aes128'
    """
    return _CATALOGUE.all()
