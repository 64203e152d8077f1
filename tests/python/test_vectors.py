# SPDX-License-Identifier: Apache-2.0
"""Every known answer of vectors/ holds, and every forgery there is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import vectorfile

from samara import crypto
from samara.crypto import AuthenticationError, UnknownNameError, grain128ple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vectorfile import Record

SECTIONS = [
    pytest.param(path, section, id=f"{path.stem}/{section}")
    for path in vectorfile.paths()
    for section in vectorfile.sections_of(path)
]


def compare(what: str, got: bytes, want: bytes) -> str | None:
    if got == want:
        return None
    return f"{what}: got {got.hex()}, want {want.hex()}"


def check_block(record: Record) -> str | None:
    cipher = crypto.block_cipher(record.section)
    key = record.bytes_of("key")
    plaintext, ciphertext = record.bytes_of("plaintext"), record.bytes_of("ciphertext")
    return compare("encrypt", cipher.encrypt(key, plaintext), ciphertext) or compare(
        "decrypt", cipher.decrypt(key, ciphertext), plaintext
    )


def check_keystream(record: Record) -> str | None:
    assert record.section == "grain128ple"
    got = grain128ple.keystream(
        record.bytes_of("key"), record.bytes_of("nonce"), int(record.fields["bits"])
    )
    return compare("keystream", got.tobytes(), record.bytes_of("keystream"))


def check_genuine(record: Record) -> str | None:
    suite = crypto.suite(record.section)
    key, nonce, ad = (record.bytes_of(name) for name in ("key", "nonce", "ad"))
    message = record.bytes_of("message")
    sealed = record.bytes_of("ciphertext") + record.bytes_of("tag")
    return compare("seal", suite.seal(key, nonce, message, ad), sealed) or compare(
        "open", suite.open(key, nonce, sealed, ad), message
    )


def check_forged(record: Record) -> str | None:
    sealed = record.bytes_of("ciphertext") + record.bytes_of("tag")
    try:
        opened = crypto.suite(record.section).open(
            record.bytes_of("key"),
            record.bytes_of("nonce"),
            sealed,
            record.bytes_of("ad"),
        )
    except (AuthenticationError, UnknownNameError, ValueError):
        return None
    return f"opened to {opened.hex()}, must be refused"


def check_of(record: Record) -> Callable[[Record], str | None]:
    if "plaintext" in record.fields:
        return check_block
    if "keystream" in record.fields:
        return check_keystream
    return {"pass": check_genuine, "fail": check_forged}[record.fields["result"]]


@pytest.mark.parametrize(("path", "section"), SECTIONS)
def test_known_answers(path: Path, section: str) -> None:
    records = vectorfile.sections_of(path)[section]
    assert records, "a section without a record"
    failures = []
    for record in records:
        try:
            failure = check_of(record)(record)
        except Exception as error:  # noqa: BLE001 - told with its record
            failure = f"{type(error).__name__}: {error}"
        if failure is not None:
            failures.append(f"{path.name}, {record}: {failure}")
    assert not failures, "\n" + "\n".join(failures)


def test_there_are_vectors() -> None:
    assert len(vectorfile.records_of_all_files()) > 1000


def names_with_answers() -> set[str]:
    return {
        record.section
        for record in vectorfile.records_of_all_files()
        if record.fields.get("result", "pass") == "pass"
    }


@pytest.mark.parametrize(
    "slug",
    [suite.slug for suite in crypto.suites()]
    + [cipher.slug for cipher in crypto.block_ciphers()],
)
def test_every_row_of_the_registry_has_known_answers(slug: str) -> None:
    assert slug in names_with_answers(), f"{slug} has no known answer in vectors/"
