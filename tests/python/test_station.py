# SPDX-License-Identifier: Apache-2.0
"""One end of a link of bursts: what it hears, and how much it keeps."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samara.phy import frames
from samara.phy.coded import Code, CodedFrames
from samara.phy.radio import Radio, RecordingEndedError, Tuning
from samara.phy.station import MODULATIONS, Heard, Station

if TYPE_CHECKING:
    from pathlib import Path

KEY = bytes(range(16))
PAYLOAD = bytes(range(60))


def clear(bits: frames.Bits) -> frames.Soft:
    """Return soft values without noise: positive for bit 0."""
    return (4 - 8 * bits.astype(np.float32)).astype(np.float32)


def test_soft_values_of_every_decoder_are_positive_for_bit_0() -> None:
    codec = frames.Codec(KEY, direction=0, link_id=0)
    bits = codec.encode(PAYLOAD, 5)
    assert codec.decode(clear(bits), 5) == PAYLOAD
    assert codec.decode(-clear(bits), 5) is None
    coded = CodedFrames(Code.CONV, len(PAYLOAD), KEY)
    plain = coded.encode(np.frombuffer(PAYLOAD, np.uint8)[None], 5, encrypts=False)
    assert frames.Unencrypted().decode_unverified(clear(plain[0])) == PAYLOAD
    payloads, good = coded.decode(clear(plain), 5, decrypts=False)
    assert payloads.tobytes() == PAYLOAD
    assert good.all()


def station(radio: str, bits: int, modulation: str = "qpsk") -> Station:
    tuning = Tuning(1e6)
    return Station(
        Radio.parse(radio), tuning, 0, modulation=modulation, payload_bits=bits
    )


def sent_to(recording: Path, rows: list[frames.Bits], modulation: str) -> None:
    sender = station(f"file:{recording}", len(rows[0]), modulation)
    for row in rows:
        sender.send(row)
    sender.close()


def heard_in(recording: Path, bits: int, modulation: str) -> list[Heard]:
    listener = station(f"file:{recording}", bits, modulation)
    heard: list[Heard] = []
    with contextlib.suppress(RecordingEndedError):
        while True:
            heard += listener.receive(1.0, most=64)
    listener.close()
    return heard


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_burst_is_heard_with_soft_bits_positive_for_bit_0(
    modulation: str, tmp_path: Path
) -> None:
    bits = np.random.default_rng(1).integers(0, 2, 504, np.uint8)
    sent_to(tmp_path / "air", [bits], modulation)
    heard = heard_in(tmp_path / "air", len(bits), modulation)[0]
    assert np.array_equal(heard.soft < 0, bits)
    assert heard.snr_db > 15
    assert abs(heard.offset) < 0.01
