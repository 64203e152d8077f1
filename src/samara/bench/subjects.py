# SPDX-License-Identifier: Apache-2.0
"""What is measured: suites and block ciphers of the registry, by their slugs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from samara import crypto
from samara.bench import added
from samara.crypto.names import find

if TYPE_CHECKING:
    from pathlib import Path


class Reference(Protocol):
    """What the answers of a device are compared with."""

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return ciphertext and tag."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """A cipher to be measured. Sizes are in bytes."""

    slug: str
    binding: str
    """The file of firmware/measure/ciphers that calls it."""
    cipher: str
    """What the names of its functions begin with, without samara_."""
    key_size: int
    nonce_size: int
    tag_size: int
    reference: Reference
    block_size: int = 0
    """0 unless it is a block cipher, which takes one block and nothing else."""
    padding_size: int = 0
    macros: tuple[str, ...] = ()
    folder: Path | None = None
    """Where its sources are, when they are not samara's own."""

    @property
    def image_name(self) -> str:
        """What distinguishes its program: tag sizes do not."""
        return f"{self.cipher}-{self.binding}{'-star' * bool(self.macros)}"

    @property
    def verbs(self) -> tuple[str, str, str]:
        """The operations' names in results."""
        if self.block_size:
            return ("set_up", "encrypt", "decrypt")
        return ("set_up", "seal", "open")

    @property
    def takes_associated_data(self) -> bool:
        """Whether a header can go with the message."""
        return self.tag_size > 0

    @property
    def set_up_takes_nonce(self) -> bool:
        """Whether set-up is to be done anew for every message."""
        return self.binding == "stream"

    @property
    def tag_in_output(self) -> bool:
        """Whether the tag is the end of the ciphertext."""
        return self.binding == "lwc"


class _BlockReference:
    def __init__(self, cipher: crypto.BlockCipher) -> None:
        self._cipher = cipher

    def seal(self, key: bytes, _nonce: bytes, message: bytes, _data: bytes) -> bytes:
        return self._cipher.encrypt(key, message)


def _block_subject(cipher: crypto.BlockCipher) -> Subject:
    return Subject(
        slug=cipher.slug,
        binding="block",
        cipher=cipher.slug.replace("-", "_"),
        key_size=cipher.key_size,
        nonce_size=0,
        tag_size=0,
        reference=_BlockReference(cipher),
        block_size=cipher.block_size,
    )


def _binding(suite: crypto.Suite) -> tuple[str, str, tuple[str, ...]]:
    """Return a suite's cipher, the file that calls it, and macros for that."""
    for block in crypto.block_ciphers():
        if suite.slug.startswith(f"{block.slug}-"):
            mode = suite.slug.removeprefix(f"{block.slug}-").split("-")[0]
            star = mode == "ccm" and not suite.authenticates
            return block.slug, mode, ("MEASURE_STAR",) if star else ()
    return suite.slug, "aead" if suite.authenticates else "stream", ()


def _suite_subject(suite: crypto.Suite) -> Subject:
    cipher, binding, macros = _binding(suite)
    return Subject(
        slug=suite.slug,
        binding=binding,
        cipher=cipher.replace("-", "_"),
        key_size=suite.key_size,
        nonce_size=suite.nonce_size,
        tag_size=suite.tag_size,
        reference=suite,
        padding_size=suite.padding_size,
        macros=macros,
    )


def _added_subject(cipher: added.AddedCipher) -> Subject:
    return Subject(
        slug=cipher.name,
        binding="lwc",
        cipher=cipher.name,
        key_size=cipher.key_size,
        nonce_size=cipher.nonce_size,
        tag_size=cipher.tag_size,
        reference=cipher,
        folder=cipher.folder,
    )


@cache
def _own() -> dict[str, Subject]:
    blocks = [_block_subject(cipher) for cipher in crypto.block_ciphers()]
    suites = [_suite_subject(suite) for suite in crypto.suites()]
    return {subject.slug: subject for subject in [*blocks, *suites]}


def subject(slug: str) -> Subject:
    """Return what is measured under this name.

    Raises
    ------
    samara.crypto.UnknownNameError
        When nothing is; the text tells the nearest names.
    """
    foreign = {cipher.name: cipher for cipher in added.ciphers()}
    if slug in foreign:
        return _added_subject(foreign[slug])
    return find("suite or block cipher", slug, _own())


def subjects() -> list[Subject]:
    """Return every block cipher and every suite of the registry."""
    return list(_own().values())
