# SPDX-License-Identifier: Apache-2.0
"""What is measured: ciphers of the registry, frames, store and node, additions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from samara import crypto
from samara.bench import added, frames, surviving
from samara.bench.results import (
    OF_BLOCKS,
    OF_MESSAGES,
    OPENING_PARTS,
    SEALING_PARTS,
    Operation,
)
from samara.crypto.names import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.known_answers import KnownAnswer
    from samara.bench.results import Verbs


class Reference(Protocol):
    """The program that the answers of a device are compared with."""

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return ciphertext and tag."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """A cipher that can be measured. Sizes are in bytes."""

    slug: str
    binding: str
    """Name of the file in firmware/measure/ciphers that calls it, without `.c`."""
    cipher: str
    """Beginning of the names of its functions, after `samara_`."""
    key_size: int
    nonce_size: int
    tag_size: int
    reference: Reference | None
    """None if there are only known answers."""
    block_size: int = 0
    """0 unless it is a block cipher, which takes one block only."""
    padding_size: int = 0
    macros: tuple[str, ...] = ()
    parts: Mapping[Operation, tuple[Operation, ...]] = field(default_factory=dict)
    """Operations that are timed in parts, with these parts."""
    parts_sources: tuple[str, ...] = ()
    """Files in firmware/measure/ciphers that are measured with the cipher."""
    source: added.Source | None = None
    """Where it is, if it is not samara's own."""
    frame: frames.Form | None = None
    """How its frames begin, if it secures whole frames."""
    known_answers: tuple[KnownAnswer, ...] = ()
    """Known answers of a cipher that is not samara's own."""
    messages: tuple[int, ...] = ()
    """Bytes of the only messages that it is measured with, if not every size."""
    escape: bytes = b""
    """A byte that no message begins with here: it would take longer, and is public."""
    memory_size: int = 0
    """Bytes of the memory in which it keeps what survives a reset."""

    def message_of(self, data: bytes) -> bytes:
        """Return a message with this data."""
        if self.escape and data.startswith(self.escape):
            return bytes(len(self.escape)) + data[len(self.escape) :]
        return data

    @property
    def image_name(self) -> str:
        """Name of its program. Suites that differ in their tag size share one."""
        return "-".join([self.cipher, self.binding, *self.macros]).lower()

    @property
    def verbs(self) -> Verbs:
        """The operations that it has."""
        return OF_BLOCKS if self.block_size else OF_MESSAGES

    def scratch_size(self, message_size: int, ad_size: int) -> int:
        """Return the bytes of intermediate data: the AuthData of CCM; or of memory."""
        if not self.parts:
            return self.memory_size
        ad = 2 + ad_size if ad_size else 0
        return sum(-(-size // 16) * 16 for size in (ad, message_size))

    @property
    def cipher_is_block(self) -> bool:
        """Whether it is a block cipher, or one in a mode."""
        return self.cipher in _block_names()

    @property
    def takes_associated_data(self) -> bool:
        """Whether it has associated data."""
        return self.tag_size > 0 and not self.messages

    @property
    def set_up_takes_nonce(self) -> bool:
        """Whether every message needs a set-up."""
        return self.binding == "stream"

    @property
    def tag_in_output(self) -> bool:
        """Whether the tag is the end of the ciphertext."""
        return self.binding == "lwc" or bool(self.messages)


_KEYED_AEADS = ("ccm", "gcm")
"""Modes that firmware/measure calls in the same way."""

_CCM_PARTS = {Operation.SEAL: SEALING_PARTS, Operation.OPEN: OPENING_PARTS}
_IN_PHASES = "aes128-ccm-16"
"""The suite that is also timed in parts."""


class _BlockReference:
    def __init__(self, cipher: crypto.BlockCipher) -> None:
        self._cipher = cipher

    def seal(self, key: bytes, _nonce: bytes, message: bytes, _data: bytes) -> bytes:
        return self._cipher.encrypt(key, message)


@cache
def _block_names() -> frozenset[str]:
    slugs = (cipher.slug for cipher in crypto.block_ciphers())
    return frozenset(slug.replace("-", "_") for slug in slugs)


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
    """Return a suite's cipher, the file that calls it, and the macros for that file."""
    for block in crypto.block_ciphers():
        if suite.slug.startswith(f"{block.slug}-"):
            mode = suite.slug.removeprefix(f"{block.slug}-").split("-")[0]
            if mode not in _KEYED_AEADS:
                return block.slug, mode, ()
            star = "_STAR" if not suite.authenticates else ""
            return block.slug, "keyed_aead", (f"MEASURE_{mode.upper()}{star}",)
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


def of_added(cipher: added.AddedCipher) -> Subject:
    """Return an added cipher as a subject."""
    sizes = cipher.sizes
    return Subject(
        slug=cipher.name,
        binding="crypto_block" if sizes.block else "lwc",
        cipher=cipher.name,
        key_size=sizes.key,
        nonce_size=sizes.nonce,
        tag_size=sizes.tag,
        reference=cipher if cipher.has_program else None,
        block_size=sizes.block,
        macros=cipher.macros(),
        source=cipher.source,
        known_answers=tuple(cipher.known_answers()),
    )


def _phases_subject() -> Subject:
    return replace(
        _suite_subject(crypto.suite(_IN_PHASES)),
        slug=f"{_IN_PHASES}-phases",
        binding="ccm_phases",
        macros=(),
        parts=_CCM_PARTS,
        parts_sources=("ccm_phases_parts.c",),
    )


def _frame_subject(cipher: str, level: int) -> Subject:
    reference = frames.Reference(cipher, level)
    return replace(
        _suite_subject(reference.suite),
        slug=frames.name_of(cipher, level),
        binding="ieee802154",
        nonce_size=frames.NONCE_SIZE,
        tag_size=frames.MIC_SIZES[level & 3],
        reference=reference,
        macros=(),
        frame=frames.Form(level),
    )


def _store_subject() -> Subject:
    return Subject(
        slug=surviving.STORE,
        binding="store",
        cipher="store",
        key_size=0,
        nonce_size=surviving.NUMBER_SIZE,
        tag_size=surviving.RECORD_SIZE,
        reference=surviving.StoreReference(),
        messages=(0,),
        memory_size=surviving.RING_SIZE,
    )


def _node_subject(node: surviving.Node) -> Subject:
    return replace(
        _suite_subject(crypto.suite(node.suite)),
        slug=node.name,
        binding=node.binding,
        nonce_size=node.identity_size,
        tag_size=node.overhead,
        reference=node.reference,
        padding_size=node.fill,
        macros=(),
        messages=surviving.NODE_MESSAGES,
        escape=surviving.ESCAPE,
        memory_size=node.memory_size,
    )


@cache
def _own() -> dict[str, Subject]:
    """Return the subjects of a run of everything."""
    blocks = [_block_subject(cipher) for cipher in crypto.block_ciphers()]
    suites = [_suite_subject(suite) for suite in crypto.suites()]
    secured = [_frame_subject(*row) for row in frames.MEASURED]
    own = [*blocks, *suites, _phases_subject(), *secured]
    return {subject.slug: subject for subject in own}


@cache
def _named() -> dict[str, Subject]:
    """Return those subjects, and those that are measured only if they are named."""
    more = [_frame_subject(*row) for row in frames.measurable()]
    more += [_store_subject(), *map(_node_subject, surviving.NODES)]
    return {subject.slug: subject for subject in more} | _own()


def subject(slug: str) -> Subject:
    """Return the subject of this name.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none; the text has the nearest names.
    """
    if slug in added.ciphers():
        return of_added(added.cipher(slug))
    return find("suite or block cipher", slug, _named())


def subjects() -> list[Subject]:
    """Return block ciphers, suites, CCM* in parts, secured frames."""
    return list(_own().values())
