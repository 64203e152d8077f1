# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import numpy as np
import pmt
import pytest
import reference
from flowgraphs import KEY, OTHER_KEY, frame_tag, post, run, run_tagged
from gnuradio import blocks, gr, samara

ENCRYPT, DECRYPT = samara.ple_role.ENCRYPT, samara.ple_role.DECRYPT


def keystream(number: int, bits: int, key: str = KEY, **link: int) -> np.ndarray:
    return reference.keystream(number, bits, key, **link)


# Frames of awkward lengths: (number, first item, bits).
FRAMES = ((7, 0, 1), (8, 1, 4097), (9, 4098, 33), (1 << 40, 4131, 9000))
SIZE = FRAMES[-1][1] + FRAMES[-1][2]
TAGS = [frame_tag(start, number) for number, start, _ in FRAMES]
BITS = np.random.default_rng(1).integers(0, 2, SIZE, dtype=np.uint8)


@pytest.mark.parametrize("most", [1, 2, 31, 64, 1000, 4096, 8192])
def test_the_keystream_belongs_to_the_frame_however_it_is_cut(
    state_file: str, most: int
) -> None:
    block = samara.ple_xor_bb(ENCRYPT, KEY, state_file, direction=1, link_id=0x0203)
    expected = BITS ^ np.concatenate(
        [keystream(n, size, direction=1, link_id=0x0203) for n, _, size in FRAMES]
    )
    assert run(block, BITS, TAGS, most) == expected.tolist()


@pytest.mark.parametrize("order", ["big", "little"])
def test_packed_bytes_hold_the_bits_of_the_unpacked_stream(
    state_file: str, order: str
) -> None:
    bits = BITS[:800]
    tags = [frame_tag(0, 3), frame_tag(50, 4)]
    block_format = {
        "big": samara.bit_format.MSB_FIRST,
        "little": samara.bit_format.LSB_FIRST,
    }[order]
    packed = samara.ple_xor_bb(ENCRYPT, KEY, state_file, format=block_format)
    got = run(packed, np.packbits(bits, bitorder=order), tags, 7)
    expected = bits ^ np.concatenate([keystream(3, 400), keystream(4, 400)])
    assert got == np.packbits(expected, bitorder=order).tolist()


def test_decryption_gives_the_bits_back(state_file: str) -> None:
    sent = run(samara.ple_xor_bb(ENCRYPT, KEY, state_file), BITS, TAGS, 100)
    assert sent != BITS.tolist()
    got = run(samara.ple_xor_bb(DECRYPT, KEY), sent, TAGS, 77)
    assert got == BITS.tolist()


def test_decryption_takes_a_frame_counter_again() -> None:
    tags = [frame_tag(0, 5), frame_tag(10, 5), frame_tag(20, 4)]
    got = run(samara.ple_xor_bb(DECRYPT, KEY), BITS[:30], tags)
    pads = np.concatenate([keystream(n, 10) for n in (5, 5, 4)])
    assert got == (BITS[:30] ^ pads).tolist()


def test_it_does_not_start_without_a_key(state_file: str) -> None:
    block = samara.ple_xor_bb(ENCRYPT, "", state_file)
    with pytest.raises(RuntimeError, match="cannot start without a key"):
        run(block, BITS, TAGS)
    block.set_key(KEY)
    assert len(run(block, BITS, TAGS)) == SIZE


@pytest.mark.parametrize("key", ["00", "zz" * 16, "@/does/not/exist", "0x" + "0" * 30])
def test_a_key_that_is_none_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ValueError, match="key") as refusal:
        samara.ple_xor_bb(DECRYPT, key)
    assert key.startswith("@") or key not in str(refusal.value)


@pytest.mark.parametrize("content", [bytes(range(16)), KEY.encode() + b"\n"])
def test_a_key_comes_from_a_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "link.key"
    file.write_bytes(content)
    got = run(samara.ple_xor_bb(DECRYPT, f"@{file}"), BITS[:50], [frame_tag(0, 1)])
    assert got == (BITS[:50] ^ keystream(1, 50)).tolist()


@pytest.mark.parametrize("most", [1, 64, 8192])
@pytest.mark.parametrize("repeated", [5, 6, 0])
def test_a_frame_counter_used_before_makes_zeros_and_its_tag_is_dropped(
    state_file: str, repeated: int, most: int
) -> None:
    tags = [frame_tag(0, 5), frame_tag(10, 6), frame_tag(20, repeated)]
    tags += [frame_tag(30, 7), frame_tag(20, 1, "other")]
    block = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    got, passed = run_tagged(block, BITS[:40], tags, most)
    pads = [keystream(5, 10), keystream(6, 10), BITS[20:30], keystream(7, 10)]
    assert got == (BITS[:40] ^ np.concatenate(pads)).tolist()
    assert passed == [
        (0, "frame", 5),
        (10, "frame", 6),
        (20, "other", 1),
        (30, "frame", 7),
    ]


def test_numbers_of_an_earlier_run_are_refused(state_file: str) -> None:
    block = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    assert len(run(block, BITS[:10], [frame_tag(0, 5)])) == 10
    del block
    again = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    assert run(again, BITS[:10], [frame_tag(0, 5)]) == [0] * 10
    got = run(again, BITS[:10], [frame_tag(0, 6)])
    assert got == (BITS[:10] ^ keystream(6, 10)).tolist()


def test_two_transmitters_cannot_share_a_counter(state_file: str) -> None:
    first = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    with pytest.raises(RuntimeError, match="another transmitter"):
        samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    del first
    samara.ple_xor_bb(ENCRYPT, KEY, state_file)


@pytest.mark.parametrize("content", ["", "12", "0" * 33 + "\n", "x" * 34])
def test_a_damaged_counter_is_refused(state_file: str, content: str) -> None:
    Path(state_file).write_text(content)
    with pytest.raises(RuntimeError, match="damaged"):
        samara.ple_xor_bb(ENCRYPT, KEY, state_file)


def test_encryption_without_a_file_for_the_counter_is_refused() -> None:
    with pytest.raises(RuntimeError, match="file"):
        samara.ple_xor_bb(ENCRYPT, KEY)


@pytest.mark.parametrize(
    "value", [pmt.PMT_NIL, pmt.from_long(-1), pmt.from_double(1.0), pmt.intern("1")]
)
def test_a_tag_without_a_number_makes_zeros(state_file: str, value: object) -> None:
    tags = [frame_tag(0, 1), frame_tag(5, value)]
    got = run(samara.ple_xor_bb(ENCRYPT, KEY, state_file), BITS[:9], tags)
    assert got == [*(BITS[:5] ^ keystream(1, 5)).tolist(), 0, 0, 0, 0]


def test_nothing_passes_before_the_first_frame(state_file: str) -> None:
    block = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    got = run(block, np.ones(9, np.uint8), [frame_tag(3, 1)])
    assert got == [0, 0, 0, *(1 ^ keystream(1, 6)).tolist()]


def test_a_second_run_begins_without_a_frame() -> None:
    block = samara.ple_xor_bb(DECRYPT, KEY)
    assert len(run(block, BITS[:9], [frame_tag(0, 1)])) == 9
    assert run(block, BITS[:9], []) == [0] * 9


def packets(lengths: list[int], name: str = "packet_len") -> list[gr.tag_t]:
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    return [frame_tag(s, n, name) for s, n in zip(starts, lengths, strict=True)]


@pytest.mark.parametrize("most", [1, 7, 8192])
def test_a_tag_within_a_packet_is_refused(state_file: str, most: int) -> None:
    """As gr-fec's tagged_encoder moves tags: 768 f for 780 f, here 8 f for 10 f."""
    tags = [*packets([10, 10, 10, 10]), frame_tag(30, 9)]
    tags += [frame_tag(8 * f, f) for f in range(3)]
    block = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    got, passed = run_tagged(block, BITS[:45], tags, most)
    pads = [keystream(0, 10), BITS[10:30], keystream(9, 10), BITS[40:45]]
    assert got == (BITS[:45] ^ np.concatenate(pads)).tolist()
    assert [tag for tag in passed if tag[1] == "frame"] == [
        (0, "frame", 0),
        (30, "frame", 9),
    ]


@pytest.mark.parametrize("most", [1, 8192])
def test_a_tag_after_the_end_of_a_packet_begins_a_frame(most: int) -> None:
    tags = [*packets([4]), frame_tag(0, 3), frame_tag(100, 4)]
    got = run(samara.ple_xor_bb(DECRYPT, KEY), BITS[:120], tags, most)
    # Between the two there is no keystream, of which few bits could be right by chance.
    pads = [keystream(3, 4), BITS[4:100], keystream(4, 20)]
    assert got == (BITS[:120] ^ np.concatenate(pads)).tolist()


def test_packets_are_only_looked_at_under_their_name() -> None:
    tags = [*packets([10, 10]), frame_tag(0, 0), frame_tag(8, 1)]
    expected = BITS[:20] ^ np.concatenate([keystream(0, 8), keystream(1, 12)])
    for name in ("", "another"):
        block = samara.ple_xor_bb(DECRYPT, KEY, length_tag=name)
        assert run(block, BITS[:20], tags) == expected.tolist()


def test_numbers_behind_a_code_open_at_a_remote_receiver(tmp_path: Path) -> None:
    """A terminated code moves tags; numbers put behind it are right."""
    size, coded, frames = 96, 2 * (96 + 6), 5
    # What the encoder gives has its packets right and its frames' tags moved.
    moved = [*packets([coded] * frames)]
    moved += [frame_tag(f * 2 * size, f) for f in range(frames)]
    stream = BITS[: frames * coded]
    top = gr.top_block()
    number = samara.frame_counter(1, str(tmp_path / "numbers"), first=3)
    lock = samara.ple_xor_bb(ENCRYPT, KEY, str(tmp_path / "used"))
    sink = blocks.vector_sink_b()
    source = blocks.vector_source_b(stream.tolist(), False, 1, moved)
    top.connect(source, number, lock, sink)
    top.run(50)
    pads = [keystream(3 + f, coded) for f in range(frames)]
    assert list(sink.data()) == (stream ^ np.concatenate(pads)).tolist()
    numbers = [
        (tag.offset, pmt.to_python(tag.value))
        for tag in sink.tags()
        if pmt.symbol_to_string(tag.key) == "frame"
    ]
    assert sorted(numbers) == [(coded * f, 3 + f) for f in range(frames)]


def test_numbers_go_on_after_a_restart(tmp_path: Path) -> None:
    state = str(tmp_path / "numbers")
    for expected in ([0, 1], [2, 3]):
        block = samara.frame_counter(1, state)
        _, tags = run_tagged(block, BITS[:8], packets([5, 3]))
        assert [tag for tag in tags if tag[1] == "frame"] == [
            (0, "frame", expected[0]),
            (5, "frame", expected[1]),
        ]
        del block
    Path(state).write_text("x")
    with pytest.raises(RuntimeError, match="damaged"):
        samara.frame_counter(1, state)


def test_the_last_number_is_not_given() -> None:
    block = samara.frame_counter(1, first=2**64 - 2)
    _, tags = run_tagged(block, BITS[:8], packets([5, 3]))
    assert [tag for tag in tags if tag[1] == "frame"] == [(0, "frame", 2**64 - 2)]


def test_numbers_of_one_run_go_on_in_the_next() -> None:
    block = samara.frame_counter(4, length_tag="size", frame_tag="number")
    for first in (0, 2):
        top = gr.top_block()
        sink = blocks.vector_sink_f()
        source = blocks.vector_source_f(
            [1.0] * 8, False, 1, [*packets([4, 4], "size"), frame_tag(1, 9, "number")]
        )
        top.connect(source, block, sink)
        top.run()
        tags = [t for t in sink.tags() if pmt.eq(t.key, pmt.intern("number"))]
        assert [(t.offset, pmt.to_python(t.value)) for t in tags] == [
            (0, first),
            (4, first + 1),
        ]


@pytest.mark.parametrize("most", [1, 50, 8192])
def test_keys_change_at_the_frame_that_the_message_names(
    state_file: str, most: int
) -> None:
    block = samara.ple_xor_bb(ENCRYPT, KEY, state_file)
    change = pmt.make_dict()
    key = pmt.init_u8vector(16, list(bytes.fromhex(OTHER_KEY)))
    change = pmt.dict_add(change, pmt.intern("key"), key)
    change = pmt.dict_add(change, pmt.intern("first_frame"), pmt.from_uint64(9))
    post(block, change)
    keys = [OTHER_KEY if n >= 9 else KEY for n, _, _ in FRAMES]
    pads = [
        keystream(n, size, key) for (n, _, size), key in zip(FRAMES, keys, strict=True)
    ]
    assert run(block, BITS, TAGS, most) == (BITS ^ np.concatenate(pads)).tolist()


@pytest.mark.parametrize(
    "message",
    [
        pmt.PMT_NIL,
        pmt.PMT_T,
        pmt.make_dict(),
        pmt.intern("00"),
        pmt.init_u8vector(15, [0] * 15),
        pmt.cons(pmt.intern("key"), pmt.intern(OTHER_KEY)),
        pmt.dict_add(pmt.make_dict(), pmt.intern("key"), pmt.from_long(1)),
        pmt.list1(pmt.from_long(3)),
    ],
)
def test_a_message_without_a_key_changes_nothing(message: object) -> None:
    block = samara.ple_xor_bb(DECRYPT, KEY)
    post(block, message)
    assert run(block, BITS[:9], [frame_tag(0, 1)]) == (
        (BITS[:9] ^ keystream(1, 9)).tolist()
    )


def test_two_streams_at_once_keep_apart(tmp_path: Path) -> None:
    top = gr.top_block()
    sinks = []
    for link_id in (1, 2):
        state = str(tmp_path / str(link_id))
        block = samara.ple_xor_bb(ENCRYPT, KEY, state, link_id=link_id)
        sinks.append(blocks.vector_sink_b())
        source = blocks.vector_source_b(BITS.tolist(), False, 1, TAGS)
        top.connect(source, block, sinks[-1])
    top.run(100)
    for link_id, sink in zip((1, 2), sinks, strict=True):
        pads = [keystream(n, size, link_id=link_id) for n, _, size in FRAMES]
        assert list(sink.data()) == (BITS ^ np.concatenate(pads)).tolist()
