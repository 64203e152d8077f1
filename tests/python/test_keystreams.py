# SPDX-License-Identifier: Apache-2.0
"""Keystreams of suites: which have one, what it is, and how it is printed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from shell import PROGRAM, TIMEOUT_S, assert_done, environment, samara

from samara import crypto
from samara.crypto import keystreams
from samara.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path

PIECE = keystreams.PIECE
SUITES = [
    "aes128-ctr",
    "aes256-gcm",
    "modspeck128-128-ccm-8",
    "grain128aead",
    "grain128ple",
]


def drawn(size: int) -> bytes:
    return bytes(7 * i % 251 for i in range(size))


def numbered(suite: crypto.Suite, first: bytes, number: int) -> bytes:
    """Return the nonce of a piece, by the rule of the documentation."""
    step = PIECE // 16 if suite.slug.endswith("-ctr") else 1
    value = int.from_bytes(first, "big") + step * number
    return int(value % 256 ** len(first)).to_bytes(len(first), "big")


def test_a_suite_has_a_keystream_or_none() -> None:
    having = {suite.slug for suite in keystreams.with_keystreams()}
    assert {*SUITES, "aes128-ccm-0", "speck128-256-ctr", "chacha20-poly1305"} <= having
    without = {"aes128-cbc", "ascon-aead128", "acorn128", "ketje-jr", "norx32"}
    assert not having & without


def test_the_keystream_of_chacha20_is_that_of_rfc_8439() -> None:
    # A.1, vector 2: block 1, key and nonce of zeros. Block 0 is Poly1305's key.
    stream = keystreams.Stream(crypto.suite("chacha20-poly1305"), bytes(32), bytes(12))
    assert stream.read(0, 16).hex() == "9f07e7be5551387a98ba977c732d080d"


def test_a_suite_without_one_is_refused() -> None:
    with pytest.raises(MisuseError, match="ascon-aead128 has no keystream"):
        keystreams.Stream(crypto.suite("ascon-aead128"), bytes(16), bytes(16))


@pytest.mark.parametrize("slug", SUITES)
def test_a_stream_is_what_sealing_zeros_gives(slug: str) -> None:
    suite = crypto.suite(slug)
    key, nonce = drawn(suite.key_size), b"\xff" * suite.nonce_size
    expected = b"".join(
        suite.seal(key, numbered(suite, nonce, i), bytes(PIECE))[:PIECE]
        for i in range(3)
    )
    stream = keystreams.Stream(suite, key, nonce)
    size = 2 * PIECE + 5
    assert b"".join(stream.pieces(size)) == expected[:size]
    for offset, count in ((0, 1), (PIECE - 1, 2), (PIECE + 3, PIECE), (7, 0)):
        assert stream.read(offset, count) == expected[offset : offset + count]


def test_counter_mode_is_one_keystream_without_seams() -> None:
    suite = crypto.suite("aes128-ctr")
    stream = keystreams.Stream(suite, bytes(16), bytes(16))
    whole = suite.seal(bytes(16), bytes(16), bytes(3 * PIECE))
    assert stream.read(0, 3 * PIECE) == whole


def test_a_stream_goes_beyond_one_batch() -> None:
    stream = keystreams.Stream(crypto.suite("aes128-ctr"), bytes(16), bytes(16))
    offset = 513 * PIECE - 8
    pieces = stream.pieces()
    for _ in range(512):
        next(pieces)
    assert bytes(next(pieces))[-8:] == stream.read(offset, 8)


def test_no_nonce_is_used_twice() -> None:
    stream = keystreams.Stream(crypto.suite("aes128-gcm"), bytes(16), b"\x07")
    assert len(stream.read(255 * PIECE, PIECE)) == PIECE
    with pytest.raises(MisuseError, match="used up after 4194304 bytes"):
        stream.read(255 * PIECE, PIECE + 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "key").write_bytes(bytes(16))
    (tmp_path / "key").chmod(0o600)
    return tmp_path


def test_bytes_and_digits_are_the_same(folder: Path) -> None:
    call = ["keystream", "aes128-gcm", "--key", "@key", "--nonce", "00" * 12]
    raw = assert_done(samara(*call, "--bytes", "40", "--raw", folder=folder))
    digits = assert_done(samara(*call, "--bytes", "40", folder=folder))
    expected = crypto.suite("aes128-gcm").seal(bytes(16), bytes(12), bytes(40))[:40]
    assert raw == expected
    assert digits.decode() == expected.hex() + "\n"


def test_a_reader_that_leaves_ends_it_quietly(folder: Path) -> None:
    call = f"{PROGRAM} keystream speck128-128-ctr --key @key --nonce {'00' * 16}"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{call} --bytes forever --raw | head -c 100000"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    stream = keystreams.Stream(crypto.suite("speck128-128-ctr"), bytes(16), bytes(16))
    assert done.stdout == stream.read(0, 100_000)
    assert b"Traceback" not in done.stderr
    assert b"error" not in done.stderr.lower()
