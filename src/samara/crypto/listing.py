# SPDX-License-Identifier: Apache-2.0
"""The suites and block ciphers with their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.crypto.block import BlockCipher, block_ciphers
from samara.crypto.names import Standing
from samara.crypto.registry import Suite, suites
from samara.crypto.tag_lengths import folded, shortened
from samara.records import (
    Answer,
    Digest,
    Field,
    Parameter,
    Record,
    Remark,
    Request,
    record_class,
    request_class,
)
from samara.records.tables import table_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

_OF_A_TAG = ("slug", "tag_size")


@request_class
class SuitesRequest(Request):
    """How suites are listed."""

    every: Annotated[
        bool,
        Parameter(name="all", help="Show each tag length in a row of its own."),
    ] = False


@record_class
class SuiteRecord(Record):
    """A cipher in a mode with its tag length."""

    TYPE = "suite"

    slug: Annotated[str, Field("Its name.")]
    standing: Annotated[Standing, Field("How far it may be relied on.")]
    source: Annotated[str, Field("Where it is defined.")]
    note: Annotated[str, Field("A warning or a remark; may be empty.")]
    key_size: Annotated[int, Field("Size of a key.", unit="byte")]
    nonce_size: Annotated[int, Field("Recommended size of a nonce.", unit="byte")]
    nonce_size_min: Annotated[int, Field("Smallest size of a nonce.", unit="byte")]
    nonce_size_max: Annotated[int, Field("Largest size of a nonce.", unit="byte")]
    tag_size: Annotated[int, Field("Size of the tag; 0 for none.", unit="byte")]
    padding_size: Annotated[
        int, Field("Messages are padded to a multiple of it; 0: not.", unit="byte")
    ]
    authenticates: Annotated[bool, Field("Whether modified messages are detected.")]
    streams: Annotated[bool, Field("Whether a message can be processed in pieces.")]


@record_class
class BlockCipherRecord(Record):
    """A block cipher, without a mode."""

    TYPE = "block_cipher"

    slug: Annotated[str, Field("Its name.")]
    standing: Annotated[Standing, Field("How far it may be relied on.")]
    source: Annotated[str, Field("Where it is defined.")]
    note: Annotated[str, Field("A warning or a remark; may be empty.")]
    key_size: Annotated[int, Field("Size of a key.", unit="byte")]
    block_size: Annotated[int, Field("Size of a block.", unit="byte")]


@record_class
class _CipherRow:
    """A row for a block cipher."""

    name: Annotated[str, Field("Its name.", heading="block\xa0cipher")]
    standing: Annotated[Standing, Field("As of the cipher.", heading="standing")]
    key_size: Annotated[int, Field("As of the cipher.", heading="key")]
    block_size: Annotated[int, Field("As of the cipher.", heading="block")]
    source: Annotated[str, Field("As of the cipher.", heading="source", wraps=True)]


@record_class
class _SuiteRow:
    """A row for a suite, or for those that differ only in the tag length."""

    name: Annotated[str, Field("Name of all.", heading="suite")]
    standing: Annotated[Standing, Field("As of the suite.", heading="standing")]
    key_size: Annotated[int, Field("As of the suite.", heading="key")]
    nonce_size: Annotated[int, Field("As of the suite.", heading="nonce")]
    tags: Annotated[int | str, Field("Lengths of the tags.", heading="tag")]
    streams: Annotated[bool, Field("As of the suite.", heading="streams")]
    source: Annotated[str, Field("As of the suite.", heading="source", wraps=True)]
    note: Annotated[str, Field("As of the suite.")]


def list_suites(request: SuitesRequest) -> Answer[SuiteRecord | BlockCipherRecord]:
    """Yield all suites, then all block ciphers.

    People are shown suites that differ only in the tag length in one row, unless each
    is asked for.
    """
    rows = _rows(every=request.every)
    ciphers = [_cipher_record(each) for each in block_ciphers()]
    notes = _names_by_note(
        [
            *((each.note, each.name) for each in rows),
            *((each.note, each.slug) for each in ciphers),
        ]
    )
    yield Digest(
        [*map(_suite_record, suites()), *ciphers],
        [
            table_of_rows("suite", rows),
            table_of_rows("block_cipher", [_cipher_row(each) for each in ciphers]),
            *(Remark(f"{note}: {', '.join(names)}") for note, names in notes.items()),
        ],
    )


def _rows(*, every: bool) -> list[_SuiteRow]:
    if every:
        return [_row(each, each.slug, each.tag_size or "none") for each in suites()]
    found = folded(
        suites(),
        suite=lambda suite: suite.slug,
        tag_size=lambda suite: suite.tag_size,
        same=_properties,
    )
    return [_shared_row(suite, shortened(name)) for suite, name in found]


def _shared_row(suite: Suite, name: str) -> _SuiteRow:
    tags = name.rpartition("-")[2] if name != suite.slug else suite.tag_size or "none"
    return _row(suite, name, tags)


def _row(suite: Suite, name: str, tags: int | str) -> _SuiteRow:
    return _SuiteRow(
        name,
        suite.standing,
        suite.key_size,
        suite.nonce_size,
        tags,
        suite.streams,
        suite.source,
        suite.note,
    )


def _properties(suite: Suite) -> tuple[object, ...]:
    """Return what a row says of a suite beside its name and tag."""
    record = _suite_record(suite)
    names = (each for each in record.__dataclass_fields__ if each not in _OF_A_TAG)
    return tuple(getattr(record, name) for name in names)


def _suite_record(suite: Suite) -> SuiteRecord:
    least, most = suite.nonce_sizes
    return SuiteRecord(
        slug=suite.slug,
        standing=suite.standing,
        source=suite.source,
        note=suite.note,
        key_size=suite.key_size,
        nonce_size=suite.nonce_size,
        nonce_size_min=least,
        nonce_size_max=most,
        tag_size=suite.tag_size,
        padding_size=suite.padding_size,
        authenticates=suite.authenticates,
        streams=suite.streams,
    )


def _cipher_record(cipher: BlockCipher) -> BlockCipherRecord:
    return BlockCipherRecord(
        slug=cipher.slug,
        standing=cipher.standing,
        source=cipher.source,
        note=cipher.note,
        key_size=cipher.key_size,
        block_size=cipher.block_size,
    )


def _cipher_row(cipher: BlockCipherRecord) -> _CipherRow:
    return _CipherRow(
        cipher.slug,
        cipher.standing,
        cipher.key_size,
        cipher.block_size,
        cipher.source,
    )


def _names_by_note(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the names of suites and block ciphers by the note on them.

    Parameters
    ----------
    pairs
        The note, empty for none, and the name of each.
    """
    names: dict[str, list[str]] = {}
    for note, name in pairs:
        if note:
            names.setdefault(note, []).append(name)
    return names
