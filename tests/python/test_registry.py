# SPDX-License-Identifier: Apache-2.0
"""The registry is complete, and says what is needed to use it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re

import pytest
import vectorfile

from samara import crypto
from samara.crypto import BlockCipher, Standing, Suite, UnknownNameError

TAG_SIZES = (4, 6, 8, 10, 12, 14, 16)
EXPECTED_SUITES = {
    *(f"aes{bits}-ccm-{tag}" for bits in (128, 192, 256) for tag in TAG_SIZES),
    *(
        f"aes{bits}-{mode}"
        for bits in (128, 192, 256)
        for mode in ("gcm", "cbc", "ctr", "ccm-0")
    ),
    *(
        f"{cipher}128-{bits}-{mode}"
        for cipher in ("speck", "simon", "modspeck")
        for bits in (128, 192, 256)
        for mode in ("ctr", *(f"ccm-{tag}" for tag in TAG_SIZES))
    ),
    "acorn128",
    "ascon-aead128",
    "chacha20-poly1305",
    "grain128aead",
    "grain128ple",
    "ketje-jr",
    "norx32",
}
SIMON_SPECK_SIZES = [
    "32-64",
    "48-72",
    "48-96",
    "64-96",
    "64-128",
    "96-96",
    "96-144",
    "128-128",
    "128-192",
    "128-256",
]
EXPECTED_BLOCK_CIPHERS = {
    *(f"aes{bits}" for bits in (128, 192, 256)),
    *(f"{name}{size}" for name in ("speck", "simon") for size in SIMON_SPECK_SIZES),
    *(f"modspeck128-{bits}" for bits in (128, 192, 256)),
}


def test_the_registry_has_what_is_promised() -> None:
    assert {suite.slug for suite in crypto.suites()} >= EXPECTED_SUITES
    names = {cipher.slug for cipher in crypto.block_ciphers()}
    assert names >= EXPECTED_BLOCK_CIPHERS


def test_names_are_unique_and_lead_back() -> None:
    for listed, find in (
        (crypto.suites(), crypto.suite),
        (crypto.block_ciphers(), crypto.block_cipher),
    ):
        assert len({row.slug for row in listed}) == len(listed)
        assert [find(row.slug) for row in listed] == listed


@pytest.mark.parametrize("suite", crypto.suites(), ids=lambda suite: suite.slug)
def test_a_suite_describes_itself(suite: Suite) -> None:
    assert isinstance(suite.standing, Standing)
    assert suite.source
    assert suite.key_size in {12, 16, 24, 32}
    least, most = suite.nonce_sizes
    assert 0 < least <= suite.nonce_size <= most
    assert suite.authenticates == (suite.tag_size > 0)
    if not suite.authenticates:
        assert "not authenticate" in suite.note
    if suite.standing is Standing.RESEARCH:
        assert "research" in suite.note


@pytest.mark.parametrize("slug", ["speck64-96", "simon128-256", "modspeck128-192"])
def test_designs_under_study_are_called_research(slug: str) -> None:
    assert crypto.block_cipher(slug).standing is Standing.RESEARCH


def test_what_grain128ple_does_not_give_is_said() -> None:
    note = crypto.suite("grain128ple").note
    for word in ("presence", "length", "traffic"):
        assert word in note


@pytest.mark.parametrize(
    "row", [crypto.suite("aes128-gcm"), crypto.block_cipher("aes128")]
)
def test_rows_are_frozen_and_travel(row: Suite | BlockCipher) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.slug = "other"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(row)) == row  # noqa: S301 - made here
    assert copy.copy(row) == row


def test_rows_do_not_show_where_the_library_keeps_them() -> None:
    for row in (crypto.suite("aes128-gcm"), crypto.block_cipher("aes128")):
        assert "_row" not in repr(row)
        assert not hasattr(row, "__dict__")
        assert dataclasses.replace(row, _row=None) == row  # type: ignore[arg-type]


def test_no_associated_data_is_empty_associated_data() -> None:
    suite = crypto.suite("grain128aead")
    key, nonce, message = bytes(range(16)), bytes(range(12)), b"21.5 C"
    sealed = suite.seal(key, nonce, message, b"")
    assert suite.seal(key, nonce, message) == sealed
    assert suite.open(key, nonce, sealed) == message
    memory = bytearray(len(sealed))
    suite.seal_into(memory, key, nonce, message)
    assert memory == sealed
    size = suite.open_into(memory, key, nonce, sealed)
    assert memory[:size] == message
    assert suite.seal_batch([(key, nonce, message)]) == [sealed]
    assert suite.open_batch([(key, nonce, sealed)]) == [message]
    sealer = suite.sealer(key, nonce)
    assert sealer.update(message) + sealer.finish() == sealed
    opener = suite.unverified_opener(key, nonce)
    assert opener.update(sealed) + opener.finish() == message


def test_an_unknown_suite_is_answered_with_its_neighbours() -> None:
    with pytest.raises(
        UnknownNameError, match=r"suite 'aes128-ccm8': did you mean aes128-ccm-8"
    ):
        crypto.suite("aes128-ccm8")


def test_an_unknown_block_cipher_is_answered_with_its_neighbours() -> None:
    with pytest.raises(
        UnknownNameError,
        match=r"unknown block cipher 'speck64': did you mean speck64-96",
    ):
        crypto.block_cipher("speck64")


def test_a_name_like_no_other_gets_no_hint() -> None:
    with pytest.raises(UnknownNameError) as caught:
        crypto.suite("?")
    assert str(caught.value) == "unknown suite '?': samara suites lists all"


@pytest.mark.parametrize(
    "kind", ["suite", "cipher for frames", "radio", "module", "scheme"]
)
def test_where_many_names_are_listed_is_said(kind: str) -> None:
    names = [f"{kind}-{number}" for number in range(20)]
    assert str(UnknownNameError(kind, "?", names)).endswith(" lists all")


def documented() -> set[str]:
    """Return what docs/ciphers.md sets as code: names, and modes as `-ccm-N`."""
    text = (vectorfile.ROOT / "docs" / "ciphers.md").read_text(encoding="utf-8")
    return set(re.findall(r"`([^`\n]+)`", text))


@pytest.mark.parametrize("cipher", crypto.block_ciphers(), ids=lambda row: row.slug)
def test_a_block_cipher_is_documented(cipher: crypto.BlockCipher) -> None:
    family = re.match("[a-z]+", cipher.slug)
    assert family
    names = {name for name in documented() if name.startswith(family[0])}
    assert names, f"docs/ciphers.md has no section for {cipher.slug}"


@pytest.mark.parametrize("suite", crypto.suites(), ids=lambda row: row.slug)
def test_a_suite_is_documented(suite: crypto.Suite) -> None:
    blocks = {cipher.slug for cipher in crypto.block_ciphers()}
    cipher, mode = next(
        ((slug, suite.slug.removeprefix(slug)) for slug in blocks
         if suite.slug.startswith(f"{slug}-")),
        (suite.slug, ""),
    )  # fmt: skip
    if mode:
        mode = mode if mode == "-ccm-0" else re.sub(r"^-ccm-\d+$", "-ccm-N", mode)
        assert mode in documented(), f"docs/ciphers.md does not explain {mode}"
    else:
        assert cipher in documented(), f"docs/ciphers.md has no section for {cipher}"
