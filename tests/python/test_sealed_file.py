# SPDX-License-Identifier: Apache-2.0
"""Sealed files: what is written is opened, and nothing else is."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
import vectorfile
from hypothesis import given
from hypothesis import strategies as st

from samara import crypto
from samara.crypto import AuthenticationError, sealed_file
from samara.crypto.sealed_file import HEADER_SIZE, SALT_SIZE, Header
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vectorfile import Record

    from samara.crypto import Suite

AUTHENTICATING = [suite for suite in crypto.suites() if suite.authenticates]
GCM = crypto.suite("aes128-gcm")
KEY = bytes(range(16))
DATA = b"backup 7"
SALT = bytes(range(SALT_SIZE))
CHUNK = 64
# One of each size of nonce: 10, 12, 13 and 16 bytes.
SIZES_OF_NONCES = ["ketje-jr", "aes128-gcm", "aes128-ccm-8", "ascon-aead128"]

KNOWN = vectorfile.FOLDER / "files" / "sealed.txt"


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    """Cut data at some places; pieces may be empty."""
    inside = sorted(min(place, len(data)) for place in places)
    return [data[a:b] for a, b in itertools.pairwise([0, *inside, len(data)])]


def seal(suite: Suite, message: bytes, chunk_size: int = CHUNK) -> bytes:
    header = Header(suite.slug, chunk_size, SALT)
    key = bytes(range(suite.key_size))
    return b"".join(sealed_file.sealed_behind(header, suite, key, [message], DATA))


def open_(suite: Suite, file: bytes, places: Iterable[int] = ()) -> bytes:
    key = bytes(range(suite.key_size))
    return b"".join(sealed_file.opened(suite, key, cut(file, places), DATA))


def released(suite: Suite, file: bytes) -> bytes:
    """Return what comes out of a file before it is refused."""
    got = b""
    key = bytes(range(suite.key_size))
    with pytest.raises(AuthenticationError):  # noqa: PT012 - what came before counts
        for piece in sealed_file.opened(suite, key, [file], DATA):
            got += piece
    return got


# Known answers.


def header_of(record: Record) -> Header:
    return sealed_file.header_of(record.bytes_of("file")[:HEADER_SIZE])


@pytest.mark.parametrize("section", vectorfile.sections_of(KNOWN))
def test_known_answers(section: str) -> None:
    suite = crypto.suite(section)
    results = []
    for record in vectorfile.sections_of(KNOWN)[section]:
        key, data, message, file = map(
            record.bytes_of, ("key", "ad", "message", "file")
        )
        results.append(record.fields["result"])
        if results[-1] == "pass":
            assert b"".join(sealed_file.opened(suite, key, [file], data)) == message
            header = header_of(record)
            made = sealed_file.sealed_behind(header, suite, key, [message], data)
            assert b"".join(made) == file, str(record)
        else:
            with pytest.raises(AuthenticationError):
                list(sealed_file.opened(suite, key, [file], data))
    assert results.count("pass") >= 7
    assert results.count("fail") == 21


# Round trips.


@pytest.mark.parametrize("suite", AUTHENTICATING, ids=lambda suite: suite.slug)
@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])
def test_every_suite_that_authenticates(suite: Suite, size: int) -> None:
    message = bytes(i * 7 & 0xFF for i in range(size))
    file = seal(suite, message)
    chunks = max(-(-size // CHUNK), 1)
    assert len(file) == HEADER_SIZE + size + chunks * suite.tag_size
    assert open_(suite, file) == message


@given(
    slug=st.sampled_from(SIZES_OF_NONCES),
    message=st.binary(max_size=5 * CHUNK),
    chunk_size=st.integers(1, 2 * CHUNK),
    places=st.lists(st.integers(0, 6 * CHUNK), max_size=6),
)
def test_cuts_of_the_input_make_no_difference(
    slug: str, message: bytes, chunk_size: int, places: list[int]
) -> None:
    suite = crypto.suite(slug)
    file = seal(suite, message, chunk_size)
    header, key = Header(slug, chunk_size, SALT), bytes(range(suite.key_size))
    pieces = sealed_file.sealed_behind(header, suite, key, cut(message, places), DATA)
    assert b"".join(pieces) == file
    assert open_(suite, file, places) == message


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_files_as_they_are_written(extra: int) -> None:
    message = bytes(3 * sealed_file.CHUNK_SIZE + extra)
    files = [b"".join(sealed_file.sealed(GCM, KEY, [message], DATA)) for _ in "ab"]
    headers = [sealed_file.header_of(file[:HEADER_SIZE]) for file in files]
    assert [one.chunk_size for one in headers] == [sealed_file.CHUNK_SIZE] * 2
    assert headers[0].salt != headers[1].salt
    # Nor is there a chunk of one file in the other.
    assert files[0][-32:] != files[1][-32:]
    for file in files:
        assert open_(GCM, file) == message


def test_the_largest_chunk_suits_ccm() -> None:
    suite = crypto.suite("aes128-ccm-8")
    message = bytes(sealed_file.CHUNK_SIZE_MAX + 1)
    file = seal(suite, message, sealed_file.CHUNK_SIZE_MAX)
    assert len(file) == HEADER_SIZE + len(message) + 2 * 8
    assert open_(suite, file) == message


# Nonces.


@pytest.mark.parametrize("slug", SIZES_OF_NONCES)
def test_no_nonce_is_given_twice(slug: str) -> None:
    suite = crypto.suite(slug)
    nonces = sealed_file.Nonces(
        bytes(Header(slug, 1, SALT)), suite, bytes(suite.key_size)
    )
    given = [
        *nonces.messages([b""] * 300, b"", last=False),
        *nonces.messages([b""] * 300, b"", last=False),
        *nonces.messages([b""], b"", last=True),
    ]
    assert len({bytes(one.nonce) for one in given}) == len(given) == 601
    assert {len(bytes(one.nonce)) for one in given} == {suite.nonce_size}
    (key,) = {bytes(one.key) for one in given}
    assert key != bytes(suite.key_size)


def test_the_counter_ends() -> None:
    nonces = sealed_file.Nonces(bytes(Header(GCM.slug, 1, SALT)), GCM, KEY)
    nonces.number = sealed_file.CHUNKS_MAX - 2
    *_, last = nonces.messages([b"", b""], b"", last=False)
    assert bytes(last.nonce)[-5:] == b"\xff\xff\xff\xff\x00"
    with pytest.raises(MisuseError, match=r"4,294,967,296 chunks"):
        nonces.messages([b""], b"", last=True)


@pytest.mark.parametrize(
    "other",
    [
        Header("aes128-ccm-8", 64, SALT),
        Header(GCM.slug, 65, SALT),
        Header(GCM.slug, 64, bytes(SALT_SIZE)),
    ],
    ids=["suite", "chunk size", "salt"],
)
def test_the_key_of_a_file_depends_on_its_whole_header(other: Header) -> None:
    keys = set()
    for header in (Header(GCM.slug, 64, SALT), other):
        nonces = sealed_file.Nonces(bytes(header), GCM, KEY)
        (message,) = nonces.messages([b""], b"", last=True)
        keys.add(bytes(message.key))
    assert len(keys) == 2


# What is refused.


@given(data=st.data(), slug=st.sampled_from(SIZES_OF_NONCES))
def test_other_orders_of_chunks_are_refused(data: st.DataObject, slug: str) -> None:
    """Drop, repeat, exchange and append chunks, those of another file among them."""
    suite = crypto.suite(slug)
    step = CHUNK + suite.tag_size
    size = data.draw(st.sampled_from([3 * CHUNK, 3 * CHUNK + 5]))
    message = bytes(i & 0xFF for i in range(size))
    file = seal(suite, message)
    chunks = [file[i : i + step] for i in range(HEADER_SIZE, len(file), step)]
    header = Header(slug, CHUNK, bytes(SALT_SIZE))
    key = bytes(range(suite.key_size))
    other = b"".join(sealed_file.sealed_behind(header, suite, key, [message], DATA))
    foreign = other[HEADER_SIZE : HEADER_SIZE + step]
    order = data.draw(st.lists(st.sampled_from([*chunks, foreign]), max_size=6))
    forged = file[:HEADER_SIZE] + b"".join(order)
    if order == chunks:
        assert open_(suite, forged) == message
    else:
        assert message.startswith(released(suite, forged))


@given(
    slug=st.sampled_from(SIZES_OF_NONCES),
    size=st.integers(0, 3 * CHUNK + 5),
    place=st.integers(0, 10_000),
    change=st.integers(1, 255),
)
def test_a_changed_byte_is_noticed(
    slug: str, size: int, place: int, change: int
) -> None:
    suite = crypto.suite(slug)
    message = bytes(size)
    forged = bytearray(seal(suite, message))
    forged[place % len(forged)] ^= change
    assert message.startswith(released(suite, bytes(forged)))


@given(
    slug=st.sampled_from(SIZES_OF_NONCES),
    size=st.integers(0, 3 * CHUNK),
    data=st.data(),
)
def test_a_file_cut_short_is_noticed(slug: str, size: int, data: st.DataObject) -> None:
    suite = crypto.suite(slug)
    message = bytes(size)
    file = seal(suite, message)
    kept = data.draw(st.integers(0, len(file) - 1))
    assert message.startswith(released(suite, file[:kept]))


@given(file=st.binary(max_size=400), places=st.lists(st.integers(0, 400), max_size=4))
def test_any_bytes_are_refused(file: bytes, places: list[int]) -> None:
    with pytest.raises(AuthenticationError):
        open_(GCM, file, places)


@given(
    name=st.binary(max_size=32),
    chunk_size=st.integers(0, 65_535),
    version=st.sampled_from([0, 1, 1, 1, 2, 255]),
    rest=st.binary(max_size=300),
)
def test_any_header_is_refused(
    name: bytes, chunk_size: int, version: int, rest: bytes
) -> None:
    """Behind the right magic, so that all of the parser is reached."""
    start = b"samara\x00" + bytes([version])
    for slug in (name, GCM.slug.encode()):
        file = start + slug.ljust(32, b"\x00") + chunk_size.to_bytes(2, "big")
        with pytest.raises(AuthenticationError):
            open_(GCM, file + SALT + rest)


def test_other_key_data_and_suite_are_refused() -> None:
    file = seal(GCM, b"21.5 C")
    for key, data in ((bytes(16), DATA), (KEY, b""), (KEY, DATA + b"\x00")):
        with pytest.raises(AuthenticationError):
            list(sealed_file.opened(GCM, key, [file], data))
    with pytest.raises(AuthenticationError, match="sealed with aes128-gcm, not asc"):
        open_(crypto.suite("ascon-aead128"), file)


def test_an_empty_chunk_behind_others_is_refused() -> None:
    """Whoever has the key can make one; each message has one file only."""
    header = Header(GCM.slug, CHUNK, SALT)
    nonces = sealed_file.Nonces(bytes(header), GCM, KEY)
    data = bytes(header) + DATA
    chunks = [
        *GCM.seal_batch(nonces.messages([bytes(CHUNK)], data, last=False)),
        *GCM.seal_batch(nonces.messages([b""], data, last=True)),
    ]
    assert released(GCM, bytes(header) + b"".join(chunks)) == bytes(CHUNK)


@pytest.mark.parametrize("slug", ["aes128-ctr", "aes128-cbc", "aes128-ccm-0"])
def test_suites_that_do_not_authenticate_are_refused(slug: str) -> None:
    suite = crypto.suite(slug)
    for use in (sealed_file.sealed, sealed_file.opened):
        with pytest.raises(MisuseError, match="does not authenticate"):
            list(use(suite, KEY, [bytes(100)]))


@pytest.mark.parametrize("size", [0, 15, 17])
def test_keys_of_other_sizes_are_refused(size: int) -> None:
    for use, given_ in (
        (sealed_file.sealed, b""),
        (sealed_file.opened, seal(GCM, b"")),
    ):
        with pytest.raises(ValueError, match="takes a key of 16 bytes"):
            list(use(GCM, bytes(size), [given_]))
