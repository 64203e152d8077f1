# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pmt
import pytest
from flowgraphs import KEY, OTHER_KEY, exchange, metadata_of, pdu, post
from gnuradio import samara

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CODES = list(samara.frame_code.__members__.values())
NONE, CONVOLUTIONAL, POLAR, TAILBITING = CODES
RANDOM = np.random.default_rng(6)
SIZE = 60


def payload(number: int) -> np.ndarray:
    return np.full(SIZE, number % 251, np.uint8)


class Link:
    """A transmitter and a receiver that can be made anew."""

    def __init__(self, folder: Path, code: samara.frame_code = CONVOLUTIONAL) -> None:
        self.folder = folder
        self.code = code
        self.restart_transmitter()
        self.restart_receiver()

    def restart_transmitter(self) -> None:
        self.sealer = None
        state = str(self.folder / "transmitter")
        self.sealer = samara.frame_seal_pdu(KEY, state, self.code)

    def restart_receiver(self, key: str = KEY) -> None:
        self.opener = None
        state = str(self.folder / "receiver")
        self.opener = samara.frame_open_pdu(key, state, self.code, payload_size=SIZE)

    def seal(self, count: int) -> list[np.ndarray]:
        """Seal `count` frames; payloads go by the number that they will have."""
        sent = exchange(self.sealer, [pdu(payload(0))] * count)
        return [np.array(pmt.u8vector_elements(pmt.cdr(message))) for message in sent]

    def open(
        self, frames: Sequence[np.ndarray], level: float = 0.3, wait_s: float = 20
    ) -> list[int]:
        """Send frames over a noisy channel; return the numbers accepted.

        Opens a frame more at the end, which has to be accepted.
        """
        messages = []
        for bits in [*frames, *self.seal(1)]:
            noise = level * RANDOM.standard_normal(len(bits))
            messages.append(pdu(0.01 * (2.0 * bits - 1 + noise)))
        opened = exchange(self.opener, messages, wait_s)
        return [metadata_of(message)["frame"] for message in opened]


@pytest.mark.parametrize("code", CODES)
def test_frames_come_back_with_their_numbers(
    tmp_path: Path, code: samara.frame_code
) -> None:
    link = Link(tmp_path, code)
    level = 0 if code is NONE else 0.4
    sent = exchange(link.sealer, [pdu(payload(n), who=n) for n in range(20)])
    assert [metadata_of(message)["frame"] for message in sent] == list(range(20))
    messages = []
    for message in sent:
        bits = np.array(pmt.u8vector_elements(pmt.cdr(message)))
        soft = 2.0 * bits - 1 + level * RANDOM.standard_normal(len(bits))
        messages.append(pdu(soft, who=metadata_of(message)["who"]))
    got = exchange(link.opener, messages)
    for number, message in enumerate(got):
        assert metadata_of(message)["frame"] == number
        assert metadata_of(message)["who"] == number
        assert pmt.u8vector_elements(pmt.cdr(message)) == payload(number).tolist()
    assert len(got) == len(sent)


# Up to 4095 lost frames cost none of the next ones.
@pytest.mark.parametrize(("lost", "missed"), [(1, 0), (7, 0), (8, 0), (3000, 0)])
def test_the_receiver_follows_after_losses(
    tmp_path: Path, lost: int, missed: int
) -> None:
    link = Link(tmp_path)
    first = link.seal(3)
    link.seal(lost)
    got = link.open(first + link.seal(5))
    assert got == [0, 1, 2, *range(3 + lost + missed, 9 + lost)]


def test_likelihoods_keep_their_scale(tmp_path: Path) -> None:
    link = Link(tmp_path)
    soft = [0.001 * (2.0 * bits - 1) for bits in link.seal(2)]
    state = str(tmp_path / "other")
    opener = samara.frame_open_pdu(KEY, state, likelihoods=True)
    # Values that small say nothing, and so no frame is found in them.
    got = exchange(opener, [pdu(soft[0]), pdu(1e4 * soft[1])])
    assert [metadata_of(message)["frame"] for message in got] == [1]


def test_frames_without_a_code_are_found_after_losses(tmp_path: Path) -> None:
    link = Link(tmp_path, NONE)
    link.seal(200)
    assert link.open([], level=0) == [200]


def test_repeated_frames_and_noise_are_dropped(tmp_path: Path) -> None:
    link = Link(tmp_path)
    frames = link.seal(5)
    noise = [RANDOM.integers(0, 2, len(frames[0])) for _ in range(5)]
    assert link.open([*frames, *frames, *noise, *frames]) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("which", ["transmitter", "receiver", "both"])
def test_a_restart_repeats_nothing(tmp_path: Path, which: str) -> None:
    link = Link(tmp_path)
    frames = link.seal(3)
    assert link.open(frames) == [0, 1, 2, 3]
    if which in ("transmitter", "both"):
        link.restart_transmitter()
    if which in ("receiver", "both"):
        link.restart_receiver()
    assert link.open(frames + link.seal(1)) == [4, 5]


def test_a_wrong_key_opens_nothing(tmp_path: Path) -> None:
    link = Link(tmp_path)
    frames = link.seal(5)
    link.restart_receiver(OTHER_KEY)
    with pytest.raises(AssertionError, match="did not come out"):
        link.open(frames, wait_s=1)
    link.restart_receiver()
    assert link.open(frames) == [0, 1, 2, 3, 4, 6]


@pytest.mark.parametrize("lost", [0, 1, 40])
def test_keys_change_at_the_same_frame_at_both_ends(tmp_path: Path, lost: int) -> None:
    link = Link(tmp_path)
    change = pmt.make_dict()
    change = pmt.dict_add(change, pmt.intern("key"), pmt.intern(OTHER_KEY))
    change = pmt.dict_add(change, pmt.intern("first_frame"), pmt.from_uint64(3))
    post(link.sealer, change)
    post(link.opener, change)
    frames = link.seal(50)
    got = link.open(frames[:2] + frames[2 + lost :])
    assert got == [0, 1, *range(2 + lost, 51)]
    # Only the new key opens what comes after.
    link.restart_receiver()
    with pytest.raises(AssertionError, match="did not come out"):
        link.open([], wait_s=1)


def test_a_number_in_the_metadata_is_taken_and_not_repeated(tmp_path: Path) -> None:
    link = Link(tmp_path)
    soft = [2.0 * bits - 1 for bits in link.seal(6)]
    order = [0, 4, 2, 4, 5]
    got = exchange(link.opener, [pdu(soft[n], frame=n) for n in order])
    assert [metadata_of(message)["frame"] for message in got] == [0, 4, 5]


def test_a_flipped_bit_is_corrected_and_a_forged_frame_refused(tmp_path: Path) -> None:
    link = Link(tmp_path)
    frames = link.seal(2)
    frames[0][17] ^= 1
    keyless = samara.frame_codec(
        CONVOLUTIONAL, samara.frame_check.CRC32, cipher=samara.frame_cipher.NONE
    )
    change = np.zeros((1, SIZE), np.uint8)
    change[0, 0] = 1
    frames[1] = (
        frames[1]
        ^ (keyless.encode(change, 0) ^ keyless.encode(np.zeros_like(change), 0))[0]
    )
    assert link.open(frames) == [0, 2]


def test_payloads_of_any_size_are_sealed_or_dropped(tmp_path: Path) -> None:
    link = Link(tmp_path)
    sizes = [0, 1, 4092, 4093, 10_000, 7]
    sent = exchange(link.sealer, [pdu(np.zeros(size, np.uint8)) for size in sizes])
    lengths = [len(pmt.u8vector_elements(pmt.cdr(message))) for message in sent]
    assert lengths == [2 * (8 * (size + 4) + 6) for size in (0, 1, 4092, 7)]
    # A payload that is too long uses no number.
    assert [metadata_of(message)["frame"] for message in sent] == [0, 1, 2, 3]


def test_soft_values_of_any_kind_are_refused(tmp_path: Path) -> None:
    link = Link(tmp_path)
    frame = 2.0 * link.seal(1)[0] - 1
    size = len(frame)
    strange = [
        np.zeros(0),
        np.zeros(7),
        np.zeros(size - 1),
        np.zeros(size),
        np.full(size, np.nan),
        np.full(size, np.inf),
        np.full(size, 1e38),
        np.full(size, 1e-45),
        np.where(frame > 0, np.inf, np.nan),
    ]
    got = exchange(link.opener, [pdu(soft) for soft in [*strange, frame]])
    assert [metadata_of(message)["frame"] for message in got] == [0]
