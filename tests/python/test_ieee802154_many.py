# SPDX-License-Identifier: Apache-2.0
"""Frames opened in one call: each as if it were opened alone."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from frame_cases import KEY_IDS, data_frame, ends

from samara.link.ieee802154 import FrameError, Security, parse
from samara.link.ieee802154.frames import batch


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
