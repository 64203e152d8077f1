# SPDX-License-Identifier: Apache-2.0
"""What holds for every suite, whatever is sealed with it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara import crypto
from samara.crypto import AuthenticationError, Message

if TYPE_CHECKING:
    from samara.crypto import Suite

AUTHENTICATING = [suite for suite in crypto.suites() if suite.authenticates]
STREAMING = [suite for suite in crypto.suites() if suite.streams]
MANY = settings(max_examples=400)


class Case(NamedTuple):
    """Everything that sealing one message takes."""

    suite: Suite
    key: bytes
    nonce: bytes
    message: bytes
    ad: bytes

    def seal(self) -> bytes:
        return self.suite.seal(self.key, self.nonce, self.message, self.ad)


def case_for(suite: Suite, size: int) -> Case:
    """Return a case with some bytes, for tests over all suites and sizes."""
    key = bytes(range(suite.key_size))
    nonce = bytes(range(100, 100 + suite.nonce_size))
    ad = b"header" if suite.authenticates else b""
    return Case(suite, key, nonce, bytes(i * 7 % 256 for i in range(size)), ad)


@st.composite
def cases(draw: st.DrawFn, suites: list[Suite]) -> Case:
    suite = draw(st.sampled_from(suites))
    least, most = suite.nonce_sizes
    nonce_size = draw(st.integers(least, min(most, 40)))
    ad = draw(st.binary(max_size=300)) if suite.authenticates else b""
    return Case(
        suite,
        draw(st.binary(min_size=suite.key_size, max_size=suite.key_size)),
        draw(st.binary(min_size=nonce_size, max_size=nonce_size)),
        draw(st.binary(max_size=300)),
        ad,
    )


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("suite", crypto.suites(), ids=lambda suite: suite.slug)
def test_every_size_comes_back(suite: Suite) -> None:
    for size in (*range(70), 255, 256, 257, 5000):
        case = case_for(suite, size)
        sealed = case.seal()
        assert len(sealed) == suite.sealed_size(size)
        assert suite.open(case.key, case.nonce, sealed, case.ad) == case.message


@pytest.mark.parametrize("suite", AUTHENTICATING, ids=lambda suite: suite.slug)
def test_every_flipped_bit_is_refused(suite: Suite) -> None:
    case = case_for(suite, 20)
    sealed = case.seal()
    for bit in range(8 * len(sealed)):
        with pytest.raises(AuthenticationError):
            suite.open(case.key, case.nonce, flipped(sealed, bit), case.ad)
    for bit in range(8 * len(case.nonce)):
        with pytest.raises(AuthenticationError):
            suite.open(case.key, flipped(case.nonce, bit), sealed, case.ad)
    for bit in range(8 * len(case.ad)):
        with pytest.raises(AuthenticationError):
            suite.open(case.key, case.nonce, sealed, flipped(case.ad, bit))


@MANY
@given(cases(crypto.suites()))
def test_what_is_sealed_opens(case: Case) -> None:
    assert case.suite.open(case.key, case.nonce, case.seal(), case.ad) == case.message


@MANY
@given(cases(AUTHENTICATING), st.data())
def test_any_change_is_refused(case: Case, data: st.DataObject) -> None:
    parts = {"sealed": case.seal(), "nonce": case.nonce, "ad": case.ad, "key": case.key}
    name = data.draw(st.sampled_from([name for name in parts if parts[name]]))
    bit = data.draw(st.integers(0, 8 * len(parts[name]) - 1))
    parts[name] = flipped(parts[name], bit)
    with pytest.raises(AuthenticationError):
        case.suite.open(parts["key"], parts["nonce"], parts["sealed"], parts["ad"])


@MANY
@given(cases(AUTHENTICATING), st.data())
def test_any_cut_is_refused(case: Case, data: st.DataObject) -> None:
    sealed = case.seal()
    kept = data.draw(st.integers(0, len(sealed) - 1))
    with pytest.raises(AuthenticationError):
        case.suite.open(case.key, case.nonce, sealed[:kept], case.ad)


@MANY
@given(cases(crypto.suites()))
def test_in_place_is_out_of_place(case: Case) -> None:
    sealed = case.seal()
    memory = bytearray(case.message) + bytes(len(sealed) - len(case.message))
    view = memoryview(memory)
    message = view[: len(case.message)]
    size = case.suite.seal_into(memory, case.key, case.nonce, message, case.ad)
    assert size == len(sealed)
    assert memory == sealed
    size = case.suite.open_into(memory, case.key, case.nonce, memory, case.ad)
    assert memory[:size] == case.message


@given(cases(AUTHENTICATING), st.data())
def test_a_refused_message_leaves_zeros(case: Case, data: st.DataObject) -> None:
    sealed = case.seal()
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    size = len(sealed) - case.suite.tag_size
    output = bytearray(b"\xa5" * (size + 3))
    with pytest.raises(AuthenticationError):
        case.suite.open_into(
            output, case.key, case.nonce, flipped(sealed, bit), case.ad
        )
    assert output == bytes(size) + b"\xa5" * 3


@pytest.mark.slow
@MANY
@given(st.sampled_from(crypto.suites()), st.data())
def test_a_batch_is_its_messages(suite: Suite, data: st.DataObject) -> None:
    batch = data.draw(st.lists(cases([suite]), max_size=6))
    sealed = suite.seal_batch(
        Message(case.key, case.nonce, case.message, case.ad) for case in batch
    )
    assert sealed == [case.seal() for case in batch]
    opened = suite.open_batch(
        (case.key, case.nonce, one, case.ad)
        for case, one in zip(batch, sealed, strict=True)
    )
    assert opened == [case.message for case in batch]


@pytest.mark.parametrize("suite", AUTHENTICATING, ids=lambda suite: suite.slug)
def test_a_batch_refuses_only_the_forged(suite: Suite) -> None:
    case = case_for(suite, 33)
    sealed = case.seal()
    variants = [sealed, flipped(sealed, 5), sealed, b"", sealed[:-1], sealed]
    opened = suite.open_batch((case.key, case.nonce, one, case.ad) for one in variants)
    message = case.message
    assert opened == [message, None, message, None, None, message]


@pytest.mark.slow
@MANY
@given(cases(STREAMING), st.data())
def test_pieces_are_one_shot(case: Case, data: st.DataObject) -> None:
    sealer = case.suite.sealer(case.key, case.nonce, case.ad)
    pieces = [sealer.update(piece) for piece in cut(case.message, data)]
    sealed = b"".join([*pieces, sealer.finish()])
    assert sealed == case.seal()
    opener = case.suite.unverified_opener(case.key, case.nonce, case.ad)
    pieces = [opener.update(piece) for piece in cut(sealed, data)]
    assert b"".join([*pieces, opener.finish()]) == case.message


def cut(whole: bytes, data: st.DataObject) -> list[bytes]:
    places = data.draw(st.lists(st.integers(0, len(whole)), max_size=6).map(sorted))
    bounds = [0, *places, len(whole)]
    return [whole[start:end] for start, end in itertools.pairwise(bounds)]


@given(cases([suite for suite in STREAMING if suite.authenticates]), st.data())
def test_a_forged_stream_is_refused_at_its_end(case: Case, data: st.DataObject) -> None:
    sealed = case.seal()
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    kept = data.draw(st.sampled_from([len(sealed), len(sealed) - 1, 3]))
    opener = case.suite.unverified_opener(case.key, case.nonce, case.ad)
    for piece in cut(flipped(sealed, bit)[:kept], data):
        opener.update(piece)
    with pytest.raises(AuthenticationError):
        opener.finish()


@pytest.mark.parametrize("suite", STREAMING, ids=lambda suite: suite.slug)
def test_a_finished_stream_takes_no_more(suite: Suite) -> None:
    case = case_for(suite, 10)
    sealer = suite.sealer(case.key, case.nonce, case.ad)
    sealed = sealer.update(case.message) + sealer.finish()
    opener = suite.unverified_opener(case.key, case.nonce, case.ad)
    assert opener.update(sealed) + opener.finish() == case.message
    with pytest.raises(ValueError, match=suite.slug):
        sealer.update(b"more")
    with pytest.raises(ValueError, match=suite.slug):
        sealer.finish()
    with pytest.raises(ValueError, match=suite.slug):
        opener.update(b"more" * 8)
    with pytest.raises(ValueError, match=suite.slug):
        opener.finish()


@pytest.mark.parametrize(
    "suite", [suite for suite in crypto.suites() if not suite.streams], ids=str
)
def test_suites_without_pieces_say_so(suite: Suite) -> None:
    case = case_for(suite, 0)
    for begin in (suite.sealer, suite.unverified_opener):
        with pytest.raises(ValueError, match="cannot work in pieces"):
            begin(case.key, case.nonce, case.ad)


def test_wrong_padding_is_refused() -> None:
    suite = crypto.suite("aes128-cbc")
    for sealed in (bytes(32), bytes(31), b""):
        with pytest.raises(AuthenticationError):
            suite.open(bytes(16), bytes(16), sealed)
