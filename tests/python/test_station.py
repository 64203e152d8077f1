# SPDX-License-Identifier: Apache-2.0
"""One end of a link of bursts: what it hears, and how much it keeps."""

from __future__ import annotations

import contextlib
import select
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.phy import frames
from samara.phy.bursts import form_of
from samara.phy.coded import Code, CodedFrames
from samara.phy.modulation import MODULATIONS
from samara.phy.radio import Radio
from samara.phy.recordings import open_recording
from samara.phy.station import (
    WAITING_BURSTS,
    Inbox,
    ReceivedBurst,
    Station,
    waveform_of,
)
from samara.phy.tuning import RecordingEndedError, Tuning

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
    tuning = Tuning(form_of(modulation).sample_rate or 1e6)
    return Station(
        Radio.parse(radio), tuning, 0, modulation=modulation, payload_bits=bits
    )


def sent_to(recording: Path, rows: list[frames.Bits], modulation: str) -> None:
    sender = station(f"file:{recording}", len(rows[0]), modulation)
    for row in rows:
        sender.send(row)
    sender.close()


def heard_in(recording: Path, bits: int, modulation: str) -> list[ReceivedBurst]:
    listener = station(f"file:{recording}", bits, modulation)
    heard: list[ReceivedBurst] = []
    with contextlib.suppress(RecordingEndedError):
        while True:
            heard += listener.receive(1.0, most=64)
    listener.close()
    return heard


@pytest.mark.slow
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


def burst(number: int) -> ReceivedBurst:
    return ReceivedBurst(np.full(4, number, np.float32), 10.0, 0.0)


def numbers(found: list[ReceivedBurst]) -> list[int]:
    return [int(heard.soft[0]) for heard in found]


def test_what_nobody_takes_is_dropped_the_oldest_first() -> None:
    inbox = Inbox(5)
    for number in range(5):
        inbox.put(burst(number))
    assert inbox.dropped == 0
    for number in range(5, 12):
        inbox.put(burst(number))
    assert inbox.dropped == 7
    assert numbers(inbox.take(0, 3)) == [7, 8, 9]
    assert numbers(inbox.take(0, 3)) == [10, 11]
    assert inbox.take(0, 3) == []
    inbox.put(burst(12))
    assert (numbers(inbox.take(0, 1)), inbox.dropped) == ([12], 7)


STEPS = st.lists(
    st.one_of(st.just("put"), st.just("end"), st.integers(0, 7)), max_size=60
)


@given(st.one_of(st.none(), st.integers(1, 6)), STEPS)
def test_a_queue_of_bursts_is_what_its_model_is(
    size: int | None, steps: list[str | int]
) -> None:
    inbox = Inbox(size)
    model: list[int] = []
    dropped, has_ended = 0, False
    for number, step in enumerate(steps):
        if step == "put":
            inbox.put(burst(number))
            model.append(number)
            if size is not None and len(model) > size:
                del model[0]
                dropped += 1
        elif step == "end":
            inbox.end()
            has_ended = True
        else:
            most = int(step)
            assert numbers(inbox.take(0, most)) == model[:most]
            del model[:most]
        assert inbox.dropped == dropped
        is_readable = bool(select.select([inbox], [], [], 0)[0])
        assert is_readable == (bool(model) or has_ended)
    inbox.close()


def test_a_take_waits_for_a_burst() -> None:
    inbox = Inbox(5)
    late = threading.Timer(0.05, inbox.put, [burst(1)])
    late.start()
    assert numbers(inbox.take(30, 1)) == [1]
    late.join()


def test_a_recording_is_not_dropped_however_long_it_is() -> None:
    inbox = Inbox(None)
    for number in range(4 * WAITING_BURSTS):
        inbox.put(burst(number))
    assert inbox.dropped == 0
    assert numbers(inbox.take(0, 10_000)) == list(range(4 * WAITING_BURSTS))


def test_recordings_alone_have_no_bound(tmp_path: Path) -> None:
    sent_to(tmp_path / "air", [np.zeros(504, np.uint8)], "qpsk")
    sizes = []
    for radio in (f"file:{tmp_path}/air", f"zmq:ipc://{tmp_path}/nobody"):
        listener = station(radio, 504)
        listener.start()
        inbox = listener._receiver.inbox  # type: ignore[union-attr] # noqa: SLF001
        sizes.append(inbox.size)
        listener.close()
    assert sizes == [None, WAITING_BURSTS]


@pytest.mark.parametrize(
    ("modulation", "overhead_bits", "samples"),
    # Counted by hand, docs/physical-layer.md: 128 symbols of preamble and a pilot
    # after every 31; DSSS: 10 symbols of 4 bits. 4 samples a symbol, 2 a chip,
    # pulses' tails, and 64 zeros.
    [
        ("bpsk", 128 + 17, 2705),
        ("qpsk", 2 * (128 + 9), 1665),
        ("16-qam", 4 * (128 + 5), 1145),
        ("o-qpsk-dsss", 4 * 10, 8771),
    ],
)
def test_what_a_burst_takes(
    modulation: str, overhead_bits: int, samples: int, tmp_path: Path
) -> None:
    waveform = waveform_of(modulation, 504, 1e6)
    assert waveform.overhead_bits == overhead_bits
    assert waveform.samples == samples
    assert waveform.burst_s == pytest.approx(samples * 1e-6)
    rows = [np.random.default_rng(1).integers(0, 2, 504, np.uint8)] * 3
    sent_to(tmp_path / "air", rows, modulation)
    sent = open_recording(tmp_path / "air").samples()
    assert len(sent) == 3 * samples
    bursts = sent.reshape(3, -1)
    assert not bursts[:, -64:].any()
    power = np.mean(np.abs(bursts[:, 100:-164]) ** 2)
    assert power == pytest.approx(0.25**2, rel=0.05)
