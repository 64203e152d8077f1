# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pmt
import pytest
import reference
from flowgraphs import KEY, OTHER_KEY, exchange, metadata_of, pdu, post
from gnuradio import samara

ENCRYPT, DECRYPT = samara.ple_role.ENCRYPT, samara.ple_role.DECRYPT
RANDOM = np.random.default_rng(5)
BITS = RANDOM.integers(0, 2, 1001, dtype=np.uint8)
SOFT = RANDOM.standard_normal(1001).astype(np.float32)


def pad(number: int, count: int, key: str = KEY, **link: int) -> np.ndarray:
    return reference.keystream(number, count, key, **link)


def numbers(messages: list[object]) -> list[object]:
    return [metadata_of(message)["frame"] for message in messages]


def test_a_pdu_has_the_keystream_of_its_number(state_file: str) -> None:
    link = {"direction": 2, "link_id": 99}
    block = samara.ple_xor_pdu(ENCRYPT, KEY, state_file, **link)
    sent = exchange(block, [pdu(BITS, frame=n, other=n + 1) for n in (3, 4, 2**63)])
    assert numbers(sent) == [3, 4, 2**63]
    assert [metadata_of(message)["other"] for message in sent] == [4, 5, 2**63 + 1]
    for message, number in zip(sent, (3, 4, 2**63), strict=True):
        expected = BITS ^ pad(number, len(BITS), **link)
        assert pmt.u8vector_elements(pmt.cdr(message)) == expected.tolist()


def test_packed_bytes_hold_the_same_bits(state_file: str) -> None:
    block_format = samara.bit_format.MSB_FIRST
    block = samara.ple_xor_pdu(ENCRYPT, KEY, state_file, format=block_format)
    (sent,) = exchange(block, [pdu(np.packbits(BITS[:800]), frame=1)])
    expected = np.packbits(BITS[:800] ^ pad(1, 800))
    assert pmt.u8vector_elements(pmt.cdr(sent)) == expected.tolist()


def test_encryption_drops_a_number_used_before(state_file: str) -> None:
    block = samara.ple_xor_pdu(ENCRYPT, KEY, state_file)
    sent = exchange(block, [pdu(BITS, frame=n) for n in (5, 5, 4, 6, 0, 6, 7)])
    assert numbers(sent) == [5, 6, 7]
    del block
    again = samara.ple_xor_pdu(ENCRYPT, KEY, state_file)
    assert numbers(exchange(again, [pdu(BITS, frame=n) for n in (7, 8)])) == [8]


def test_soft_values_are_decrypted_by_their_signs() -> None:
    block = samara.ple_llr_pdu(KEY, direction=1)
    got = exchange(block, [pdu(SOFT, frame=n) for n in (9, 9, 1)])
    for message, number in zip(got, (9, 9, 1), strict=True):
        signs = 1 - 2 * pad(number, len(SOFT), direction=1).astype(np.float32)
        assert pmt.f32vector_elements(pmt.cdr(message)) == (SOFT * signs).tolist()


def blocks_of(folder: object) -> list[object]:
    return [
        samara.ple_xor_pdu(ENCRYPT, KEY, f"{folder}/xor"),
        samara.ple_xor_pdu(DECRYPT, KEY),
        samara.frame_seal_pdu(KEY, f"{folder}/seal"),
        samara.ple_llr_pdu(KEY),
    ]


def test_messages_that_are_no_frames_are_dropped(tmp_path: object) -> None:
    strange = [
        pmt.PMT_NIL,
        pmt.PMT_T,
        pmt.intern("text"),
        pmt.cons(pmt.PMT_NIL, pmt.PMT_NIL),
        pmt.cons(pmt.intern("frame"), pmt.init_u8vector(1, [0])),
        pmt.list3(pmt.PMT_T, pmt.PMT_F, pmt.PMT_NIL),
        pmt.make_vector(3, pmt.PMT_T),
        pdu(pmt.init_c32vector(2, [1j, 2j]), frame=1),
        pdu(pmt.init_s16vector(2, [1, 2]), frame=1),
        pdu(BITS.astype(np.float64), frame=pmt.from_long(-1)),
        pdu(BITS.astype(np.float64), frame=pmt.intern("1")),
        pdu(np.zeros(0, np.float64)),
    ]
    for block in blocks_of(tmp_path)[:3]:
        good = pdu(BITS, frame=1)
        assert len(exchange(block, [*strange, good])) == 1
    strange = [
        message if not pmt.is_pair(message) else pmt.cons(pmt.car(message), pmt.PMT_NIL)
        for message in strange
    ]
    soft = samara.ple_llr_pdu(KEY)
    assert len(exchange(soft, [*strange, pdu(BITS, frame=1), pdu(SOFT, frame=1)])) == 1


def test_random_pdus_are_taken(tmp_path: object) -> None:
    for block in blocks_of(tmp_path):
        messages = []
        for frame in range(100):
            size = int(RANDOM.integers(0, 300))
            data = RANDOM.integers(0, 256, size, dtype=np.uint8)
            soft = RANDOM.integers(0, 2**32, size, dtype=np.uint32).view(np.float32)
            messages += [pdu(data, frame=frame), pdu(soft, frame=frame)]
        messages += [pdu(BITS, frame=100)] * (not isinstance(block, samara.ple_llr_pdu))
        got = exchange(block, messages)
        assert len(got) in (100, 101)


@pytest.mark.parametrize("index", range(4))
def test_none_starts_without_a_key(tmp_path: object, index: int) -> None:
    makers = [
        lambda: samara.ple_xor_pdu(DECRYPT, ""),
        lambda: samara.ple_llr_pdu(""),
        lambda: samara.frame_seal_pdu("", f"{tmp_path}/seal"),
        lambda: samara.frame_open_pdu("", f"{tmp_path}/open"),
    ]
    with pytest.raises(RuntimeError, match="cannot start without a key"):
        exchange(makers[index](), [pdu(BITS, frame=1)])


def test_a_new_key_holds_from_the_next_pdu_on() -> None:
    block = samara.ple_xor_pdu(DECRYPT, KEY)
    exchange(block, [pdu(BITS, frame=1)])
    post(block, pmt.init_u8vector(16, list(bytes.fromhex(OTHER_KEY))))
    old, new = exchange(block, [pdu(BITS, frame=1), pdu(BITS, frame=2)])
    assert pmt.u8vector_elements(pmt.cdr(old)) == (BITS ^ pad(1, 1001)).tolist()
    expected = BITS ^ pad(2, 1001, OTHER_KEY)
    assert pmt.u8vector_elements(pmt.cdr(new)) == expected.tolist()
