# SPDX-License-Identifier: Apache-2.0
"""Frames protected or opened in one call: each as if it were alone."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from frame_cases import KEY_IDS, PAN, A, B, data_frame, ends

from samara.link.ieee802154 import (
    Address,
    FrameError,
    KeyId,
    Security,
    build,
    parse,
)
from samara.link.ieee802154.frames import batch
from samara.link.ieee802154.frames.packing import PackedFrames, pack


def _protected(sender: Security, payloads: list[bytes], level: int = 5) -> list[bytes]:
    frame = data_frame(level)
    return [sender.protect(replace(frame, payload=payload)) for payload in payloads]


def _one_by_one(receiver: Security, frames: list[bytes]) -> list[tuple[str, bytes]]:
    answers = []
    for frame in frames:
        try:
            answers.append(("", receiver.open(frame).frame.payload))
        except FrameError as error:
            answers.append((error.reason, b""))
    return answers


def _damaged(frames: list[bytes], chance: random.Random) -> list[bytes]:
    """Return frames of which some are changed, repeated, late or cut."""
    given: list[bytes] = []
    for frame in frames:
        match chance.randrange(6):
            case 0:
                at = chance.randrange(len(frame))
                given.append(frame[:at] + bytes([frame[at] ^ 0x10]) + frame[at + 1 :])
            case 1:
                given += [frame, frame]
            case 2:
                given.insert(chance.randrange(len(given) + 1), frame)
            case 3:
                given.append(frame[: chance.randrange(len(frame))])
            case _:
                given.append(frame)
    return given


@pytest.mark.parametrize("seed", range(20))
def test_many_frames_are_opened_as_one_by_one(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same frames in each run
    sender, receiver = ends(KEY_IDS[1])
    _, other = ends(KEY_IDS[1])
    level = chance.choice([1, 2, 3, 5, 6, 7])
    payloads = [chance.randbytes(chance.randrange(80)) for _ in range(60)]
    frames = _damaged(_protected(sender, payloads, level), chance)
    want = _one_by_one(other, frames)
    opened = receiver.open_many(frames)
    assert len(opened) == len(frames)
    got = [(opened.reason(i) or "", opened.payload(i)) for i in range(len(frames))]
    assert got == want
    assert receiver.receive_counter(0, 0) == other.receive_counter(0, 0)
    for i in np.flatnonzero(opened.accepted).tolist():
        assert parse(opened.frame(i), opened=True).payload == opened.payload(i)
    for i in np.flatnonzero(~opened.accepted).tolist():
        assert not any(opened.frame(i))


def test_arrays_tell_level_places_and_counter() -> None:
    sender, receiver = ends(KEY_IDS[1])
    frames = _protected(sender, [b"one", b"", b"three"])
    opened = receiver.open_many(map(memoryview, frames))
    assert opened.level.tolist() == [5, 5, 5]
    assert opened.device.tolist() == opened.key.tolist() == [0, 0, 0]
    assert opened.counter.tolist() == [0, 1, 2]
    assert opened.payload_size.tolist() == [3, 0, 5]
    assert opened.size.tolist() == [len(frame) for frame in frames]
    again = receiver.open_many(frames)
    assert [again.reason(i) for i in range(3)] == ["replay"] * 3
    assert again.device.tolist() == [batch.NO_PLACE] * 3
    assert not again.data.any()


def test_no_frames_and_too_many() -> None:
    _, receiver = ends(KEY_IDS[1])
    assert len(receiver.open_many([])) == 0
    with pytest.raises(ValueError, match="more than 65,536 frames"):
        receiver.open_many([b""] * (batch.FRAMES_MAX + 1))
    with pytest.raises(TypeError):
        receiver.open_many([b"", 5])  # type: ignore[list-item]


def test_slot_numbers_are_one_for_each_frame() -> None:
    _, receiver = ends(KEY_IDS[1])
    with pytest.raises(ValueError, match="asns"):
        receiver.open_many([b"a", b"b"], asns=[1])
    with pytest.raises(ValueError, match="below 2"):
        receiver.open_many([b"a"], asns=[1 << 40])


def test_a_wrong_slot_number_changes_no_counter() -> None:
    sender, receiver = ends(KEY_IDS[1])
    frames = _protected(sender, [b"one", b"two"])
    with pytest.raises(ValueError, match="below 2"):
        receiver.open_many(frames, asns=[1, 1 << 40])
    assert receiver.open_many(frames).accepted.all()


# ---- protecting ----


def _alone(sender: Security, frames: list[bytes]) -> list[tuple[str, bytes]]:
    answers = []
    for frame in frames:
        try:
            answers.append(("", sender.protect(frame)))
        except FrameError as error:
            answers.append((error.reason, b""))
    return answers


def _unprotected(chance: random.Random) -> list[bytes]:
    """Return frames of all lengths and levels, of which some cannot be secured."""
    frames = []
    for _ in range(80):
        frame = replace(
            data_frame(chance.randrange(8)),
            payload=chance.randbytes(chance.randrange(100)),
        )
        data = build(frame)
        match chance.randrange(8):
            case 0:
                data = data[: chance.randrange(len(data))]
            case 1:
                data += bytes(2045)  # too long for any radio
            case 2:
                data = build(replace(frame, source=Address(PAN, long=B)))
        frames.append(data)
    return frames


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("arrays", [False, True])
def test_many_frames_are_protected_as_one_by_one(seed: int, *, arrays: bool) -> None:
    frames = _unprotected(random.Random(seed))  # noqa: S311 - the same in each run
    sender, _ = ends(KEY_IDS[1])
    other, _ = ends(KEY_IDS[1])
    want = _alone(other, frames)
    assert {reason for reason, _ in want} >= {"", "source", "frame-size"}
    protected = sender.protect_many(_packed(frames) if arrays else frames)
    got = [(protected.reason(i) or "", protected.frame(i)) for i in range(len(frames))]
    assert got == want
    assert sender.transmit_counter(0) == other.transmit_counter(0)
    assert protected.accepted.tolist() == [not reason for reason, _ in want]
    assert bytes(protected.data) == b"".join(data for _, data in want)
    headers = [parse(data).security for _, data in want if data]
    assert protected.counter[protected.accepted].tolist() == [
        header.counter or 0 for header in headers if header
    ]


def _packed(frames: list[bytes]) -> PackedFrames:
    return PackedFrames(
        np.frombuffer(b"".join(frames), np.uint8),
        np.array([len(frame) for frame in frames]),
    )


def test_what_was_protected_is_opened_as_it_is() -> None:
    sender, receiver = ends(KEY_IDS[1])
    payloads = [bytes([i]) * i for i in range(80)]
    frames = [build(replace(data_frame(), payload=payload)) for payload in payloads]
    frames[40:40] = [b"", b"short"]
    opened = receiver.open_many(sender.protect_many(frames))
    assert opened.result[40] < 0
    assert opened.result[41] < 0
    assert [opened.payload(i) for i in range(82) if i not in (40, 41)] == payloads


@pytest.mark.parametrize("seed", range(5))
def test_arrays_are_opened_as_a_list(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same frames in each run
    sender, receiver = ends(KEY_IDS[1])
    _, other = ends(KEY_IDS[1])
    payloads = [chance.randbytes(chance.randrange(80)) for _ in range(60)]
    frames = _damaged(_protected(sender, payloads), chance)
    want, got = other.open_many(frames), receiver.open_many(_packed(frames))
    assert want.result.any()
    assert (want.result == got.result).all()
    assert (want.data == got.data).all()
    assert (want.counter == got.counter).all()


def test_a_group_has_a_key_for_each_node() -> None:
    """200 nodes, each with a key of its own, take turns in a mixed order."""
    count = 200
    sender = Security(A, PAN, keys=count, devices=1)
    nodes = []
    headers = []
    for index in range(count):
        key, key_id = bytes([index]) * 16, KeyId(1, index + 1)
        sender.add_key(key, key_id)
        node = Security(B, PAN, keys=1, devices=1)
        node.add_key(key, key_id)
        node.add_device(A, pan=PAN, short=1)
        nodes.append(node)
        headers.append(data_frame(key_id=key_id))
    chance = random.Random(1)  # noqa: S311 - the same order in each run
    turns = [chance.randrange(count) for _ in range(2000)]
    payloads = [chance.randbytes(chance.randrange(60)) for _ in turns]
    frames = pack(headers, payloads, turns=turns, sequence=250)
    protected = sender.protect_many(frames)
    assert protected.accepted.all()
    for index, node in enumerate(nodes):
        mine = [i for i, turn in enumerate(turns) if turn == index]
        opened = node.open_many([protected.frame(i) for i in mine])
        assert [opened.payload(i) for i in range(len(mine))] == [
            payloads[i] for i in mine
        ]
        assert opened.counter.tolist() == list(range(len(mine)))
        sequence = [parse(opened.frame(i)).sequence for i in range(len(mine))]
        assert sequence == [(250 + i) % 256 for i in mine]


def test_a_call_that_does_not_fit_changes_no_counter() -> None:
    sender, _ = ends(KEY_IDS[1])
    frame = build(data_frame())
    data = np.frombuffer(frame * 2, np.uint8)
    for sizes in ([len(frame)], [len(frame)] * 3, [len(frame) + 1, len(frame) - 2]):
        with pytest.raises(ValueError, match="longer than"):
            sender.protect_many(PackedFrames(data, np.array(sizes, np.uint32)))
    with pytest.raises(ValueError, match="out of range"):
        sender.protect_many(PackedFrames(data, np.array([-1, 5])))
    with pytest.raises(TypeError, match="whole numbers"):
        sender.protect_many(PackedFrames(data, np.array([1.5, 5])))
    with pytest.raises(TypeError, match="uint8"):
        sender.protect_many(PackedFrames(data.view(np.int8), np.array([2])))
    with pytest.raises(ValueError, match="contiguous"):
        sender.protect_many(PackedFrames(data[::2], np.array([len(frame)])))
    with pytest.raises(ValueError, match="more than 65,536 frames"):
        sender.protect_many([frame] * (batch.FRAMES_MAX + 1))
    with pytest.raises(ValueError, match="asns"):
        sender.protect_many([frame, frame], asns=[1])
    with pytest.raises(TypeError):
        sender.protect_many([frame, 5])  # type: ignore[list-item]
    assert sender.transmit_counter(0) == 0
    assert len(sender.protect_many([])) == 0


def test_the_last_counter_ends_a_batch() -> None:
    sender, _ = ends(KEY_IDS[1])
    sender.set_transmit_counter(0, 0xFFFFFFFD)
    protected = sender.protect_many([build(data_frame())] * 4)
    assert protected.counter.tolist() == [0xFFFFFFFD, 0xFFFFFFFE, 0, 0]
    assert [protected.reason(i) for i in range(4)] == [None, None] + ["counter-end"] * 2


def test_numbers_need_frames_that_have_them() -> None:
    frame = replace(data_frame(), sequence=None)
    with pytest.raises(ValueError, match="without a sequence number"):
        pack([frame], [b"a"], sequence=1)
    with pytest.raises(ValueError, match="zip"):
        pack([frame], [b"a", b"b"], turns=[0])
    assert len(pack([frame], []).size) == 0
