# SPDX-License-Identifier: Apache-2.0
"""Runs of EDHOC: known answers, another implementation, and what has to be refused."""

from __future__ import annotations

from itertools import pairwise

import pytest
from edhoc_judge import Ends, JudgedInitiator, kdf, key_of, public_of
from hypothesis import given
from hypothesis import strategies as st
from vectorfile import FOLDER, sections_of

from samara.edhoc.credentials import StaticKey, credential, is_point
from samara.edhoc.exporting import Exporter, OscoreContext
from samara.edhoc.runs import EdhocError, Initiator, Responder

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
(TRACE,) = sections_of(FOLDER / "exchanges" / "edhoc-rfc9529.txt")["edhoc"]
KEYS = ("x", "y", "sk_i", "sk_r", "c_i", "c_r", "suites")
CREDENTIALS = ("id_cred_i", "id_cred_r", "cred_i", "cred_r")
ALICE, BOB = StaticKey.drawn(), StaticKey.drawn()


# Known answers


def test_the_judge_computes_the_trace_of_rfc_9529() -> None:
    ends = Ends(**{name: TRACE.bytes_of(name) for name in KEYS + CREDENTIALS})
    ends.run()
    for name in ("message_1", "message_2", "message_3", "message_4", "prk_out"):
        assert getattr(ends, name) == TRACE.bytes_of(name), name


def test_keys_are_exported_as_in_rfc_9529() -> None:
    exporter = Exporter(TRACE.bytes_of("prk_out"))
    one = OscoreContext.of(exporter, own=b"\x37", other=b"\x27")
    assert one.secret == TRACE.bytes_of("oscore_secret")
    assert one.salt == TRACE.bytes_of("oscore_salt")
    assert (one.sender, one.recipient) == (b"\x27", b"\x37")
    other = OscoreContext.of(exporter, own=b"\x27", other=b"\x37")
    assert (other.sender, other.recipient) == (one.recipient, one.sender)


def test_public_keys_are_those_of_rfc_9529() -> None:
    for private, public in (("sk_i", "cred_i"), ("sk_r", "cred_r")):
        found = StaticKey(TRACE.bytes_of(private)).public
        assert found in TRACE.bytes_of(public)
        assert is_point(found)


# Two ends


def exchanged(one: StaticKey, other: StaticKey) -> tuple[list[bytes], list[Exporter]]:
    begins = Initiator(one, other.public)
    answers = Responder(other, one.public, begins.message_1)
    message_3, exporter = begins.answer(answers.message_2)
    messages = [begins.message_1, answers.message_2, message_3]
    return messages, [exporter, answers.accept(message_3)]


def test_two_ends_agree_and_never_twice_on_the_same() -> None:
    messages, (one, other) = exchanged(ALICE, BOB)
    assert [len(each) for each in messages] == [37, 45, 19]
    assert one == other
    again, (third, _) = exchanged(ALICE, BOB)
    assert one != third
    assert not set(again) & set(messages)
    assert "secret" not in repr(one)
    assert ALICE.private.hex() not in repr(ALICE)


def test_the_judge_and_a_responder_agree() -> None:
    """Also in what both export, with labels of every length."""
    x = StaticKey.drawn().private
    own, other = credential(ALICE.public, 0), credential(BOB.public, 1)
    judge = JudgedInitiator(x, ALICE.private, own, other)
    responder = Responder(BOB, ALICE.public, judge.message_1)
    message_3, secret = judge.answer(responder.message_2, BOB.public)
    assert responder.accept(message_3) == Exporter(secret)


def test_what_is_exported_is_what_others_export() -> None:
    """The library beneath, as far as it follows the standard, and the judge."""
    begins = Initiator(ALICE, BOB.public)
    answers = Responder(BOB, ALICE.public, begins.message_1)
    _, exporter = begins.answer(answers.message_2)
    run = begins._run  # noqa: SLF001 - the library beneath
    run.completed_without_message_4()
    between = kdf(exporter.secret, 10, b"", 32)
    cases = ((0, b"", 16), (1, b"", 8), (23, b"a", 1), (5, bytes(255), 70))
    more = ((24, b"", 16), (255, b"ab", 23), (256, b"", 24), (32768, bytes(256), 300))
    for label, context, size in cases + more:
        exported = exporter.export(label, context, size)
        assert exported == kdf(between, label, context, size)
        assert len(exported) == size
    for label, context, size in cases:
        expected = bytes(run.edhoc_exporter(label, context, size))
        assert exporter.export(label, context, size) == expected


# What is refused


def test_only_the_expected_ends_are_taken() -> None:
    """Neither end takes another one, whichever messages that one has seen."""
    eve = StaticKey.drawn()
    begins = Initiator(ALICE, BOB.public)
    in_between = Responder(eve, ALICE.public, begins.message_1)
    with pytest.raises(EdhocError, match="has not proved"):
        begins.answer(in_between.message_2)
    pretends = Initiator(eve, BOB.public)
    answers = Responder(BOB, ALICE.public, pretends.message_1)
    message_3, _ = pretends.answer(answers.message_2)
    with pytest.raises(EdhocError, match="has not proved"):
        answers.accept(message_3)


def test_messages_of_other_runs_are_refused() -> None:
    (_, second, third), _ = exchanged(ALICE, BOB)
    with pytest.raises(EdhocError):
        Initiator(ALICE, BOB.public).answer(second)
    begins = Initiator(ALICE, BOB.public)
    with pytest.raises(EdhocError):
        Responder(BOB, ALICE.public, begins.message_1).accept(third)


def test_an_end_does_not_take_itself() -> None:
    """What it has sent comes back: it is neither the other end nor an answer."""
    begins = Initiator(ALICE, BOB.public)
    mirrored = Responder(ALICE, BOB.public, begins.message_1)
    with pytest.raises(EdhocError):
        begins.answer(mirrored.message_2)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_no_inverted_bit_is_taken(
    number: int, capfd: pytest.CaptureFixture[str]
) -> None:
    sizes = {1: 37, 2: 45, 3: 19}
    for bit in range(0, 8 * sizes[number], 3):
        with pytest.raises(EdhocError):
            _run_with_a_fault(number, bit)
    # Nothing of what the library beneath says when it gives up.
    assert capfd.readouterr() == ("", "")


def _run_with_a_fault(number: int, bit: int) -> None:
    begins = Initiator(ALICE, BOB.public)
    first = _inverted(begins.message_1, bit if number == 1 else None)
    answers = Responder(BOB, ALICE.public, first)
    second = _inverted(answers.message_2, bit if number == 2 else None)
    third, _ = begins.answer(second)
    answers.accept(_inverted(third, bit if number == 3 else None))


def _inverted(message: bytes, bit: int | None) -> bytes:
    if bit is None:
        return message
    number = int.from_bytes(message) ^ 1 << bit
    return number.to_bytes(len(message))


@given(st.one_of(st.binary(max_size=80), st.binary(min_size=19, max_size=45)))
def test_arbitrary_messages_are_refused(message: bytes) -> None:
    begins = Initiator(ALICE, BOB.public)
    with pytest.raises(EdhocError):
        Responder(BOB, ALICE.public, message)
    answers = Responder(BOB, ALICE.public, begins.message_1)
    with pytest.raises(EdhocError):
        begins.answer(message)
    with pytest.raises(EdhocError):
        answers.accept(message)


@given(st.binary(min_size=11, max_size=11))
def test_arbitrary_encrypted_parts_are_refused(part: bytes) -> None:
    """Those of message_2 decrypt to anything: they have no tag of their own."""
    begins = Initiator(ALICE, BOB.public)
    answers = Responder(BOB, ALICE.public, begins.message_1)
    with pytest.raises(EdhocError):
        begins.answer(answers.message_2[:-11] + part)


def test_points_that_are_none_are_refused() -> None:
    for x in (bytes(31) + b"\x01", b"\xff" * 32):
        assert not is_point(x)
    first = Initiator(ALICE, BOB.public).message_1
    bad = first[:4] + b"\xff" * 32 + first[-1:]
    with pytest.raises(EdhocError, match="no point"):
        Responder(BOB, ALICE.public, bad)
    assert not is_point(BOB.public[:-1])


# Static keys


def test_derived_keys_follow_from_secret_and_label() -> None:
    """And are the keys that the judge computes the public part of."""
    one = StaticKey.derived(bytes(16), b"newcomer")
    assert one == StaticKey.derived(bytes(16), b"newcomer")
    others = [
        StaticKey.derived(bytes(16), b"inviter"),
        StaticKey.derived(bytes(15) + b"\x01", b"newcomer"),
        StaticKey.drawn(),
    ]
    assert len({one, *others}) == 4
    for each in (one, *others):
        assert 0 < int.from_bytes(each.private) < ORDER
        assert each.public == public_of(each.private)
        assert key_of(each.private).key_size == 256


def test_derived_keys_are_spread_over_the_whole_range() -> None:
    drawn = sorted(
        int.from_bytes(StaticKey.derived(bytes([n]), b"a").private) for n in range(64)
    )
    assert drawn[0] < ORDER // 8
    assert drawn[-1] > ORDER // 8 * 7
    assert max(b - a for a, b in pairwise(drawn)) < ORDER // 4
