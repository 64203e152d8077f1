# SPDX-License-Identifier: Apache-2.0
"""The receiver of IEEE 802.15.4 against a modulator of our own, and gr-samara's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from gnuradio import samara as blocks
from spread_signals import LAYERS, OF_16, OF_32, noise, on_air, psdu_of, signal

from samara.errors import ArgumentError
from samara.link.ieee802154.frames.fcs import is_intact
from samara.phy.receivers.dsss import DsssReceiver
from samara.phy.receivers.dsss_table import SPREADINGS
from samara.phy.receivers.front_end import FrontEnd

if TYPE_CHECKING:
    from spread_signals import Samples

    from samara.phy.receivers.streaming import Packet

CRYSTAL_HZ = {"oqpsk-2450": 190e3}


def heard(name: str, samples: Samples, piece: int = 1 << 16) -> list[Packet]:
    receiver = DsssReceiver(SPREADINGS[name], is_intact)
    found: list[Packet] = []
    for start in range(0, len(samples), piece):
        found += receiver.feed(samples[start : start + piece])
    return [*found, *receiver.finish()]


def contents(found: list[Packet]) -> list[bytes]:
    return [packet.content for packet in found if packet.is_intact]


def bodies(sizes: tuple[int, ...], seed: int = 3) -> list[bytes]:
    random = np.random.default_rng(seed)
    return [psdu_of(random.integers(0, 256, n, np.uint8).tobytes()) for n in sizes]


def test_the_tables_of_chips() -> None:
    for name, rows in (("oqpsk-2450", OF_32), ("oqpsk-868", OF_16)):
        ours = [
            "".join("01"[int(c > 0)] for c in row) for row in SPREADINGS[name].chips
        ]
        assert ours == rows


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize(
    ("snr_db", "sign", "ppm"), [(20, 0, 0), (20, 1, 80), (5, -1, -80), (1, 1, 40)]
)
def test_frames_with_offsets_noise_and_other_clocks(
    name: str, snr_db: float, sign: int, ppm: float
) -> None:
    psdus = bodies((1, 5, 33, 77, 125))
    rate = SPREADINGS[name].sample_rate
    offset = sign * CRYSTAL_HZ.get(name, 40e3)
    frames = [
        signal(p, name, rate=rate, offset_hz=offset, clock_ppm=ppm, phase=i / 7)
        for i, p in enumerate(psdus)
    ]
    samples = on_air(frames, (300, 0, 64, 1000, 7), snr_db)
    found = heard(name, samples)
    assert contents(found) == psdus
    good = [packet for packet in found if packet.is_intact]
    assert good[0].sample == pytest.approx(300, abs=2)
    for packet in good:
        assert packet.offset_hz == pytest.approx(offset, abs=rate / 2000)
        # The difference of the clocks is a part of the noise.
        assert min(snr_db, 10) - 2 < packet.snr_db < snr_db + 2


def test_pieces_of_any_size_give_the_same() -> None:
    psdus = bodies((20, 20, 20, 120))
    frames = [signal(p, "oqpsk-2450", rate=4e6) for p in psdus]
    samples = on_air(frames, (5, 100, 40_000, 17), 15)
    whole = heard("oqpsk-2450", samples, len(samples))
    assert contents(whole) == psdus
    for piece in (999, 4096, 30_011):
        assert heard("oqpsk-2450", samples, piece) == whole


def test_a_frame_by_gr_samara_s_modulator() -> None:
    (psdu,) = bodies((40,))
    content = bytes([len(psdu)]) + psdu
    rows = {row.name: row.modulation for row in blocks.burst_modulations()}
    bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder="little")
    modulator = blocks.burst_modulator(rows["o-qpsk-dsss"], len(bits), 0.5)
    samples = np.concatenate([np.zeros(500), modulator.modulate(bits), np.zeros(500)])
    found = heard("oqpsk-2450", samples.astype(np.complex64))
    assert contents(found) == [psdu]


def test_damaged_frames_cut_frames_and_the_one_after() -> None:
    psdus = bodies((60, 60, 60))
    frames = [signal(p, "oqpsk-2450", rate=4e6) for p in psdus]
    frames[0][4000:4400] = 0
    frames[1] = frames[1][: len(frames[1]) // 2]
    found = heard("oqpsk-2450", on_air(frames, (50, 50, 50), 20))
    assert contents(found) == [psdus[2]]
    wrong = [packet for packet in found if not packet.is_intact]
    assert [len(packet.content) for packet in wrong] == [62, 62]
    # Cut off by the end of the recording.
    alone = on_air(frames[2:], (50,), 20)[:6000]
    assert contents(heard("oqpsk-2450", alone)) == []


def test_a_stronger_frame_after_a_weak_one() -> None:
    psdus = bodies((30, 30))
    weak, strong = (
        signal(p, "oqpsk-2450", rate=4e6, amplitude=a)
        for p, a in zip(psdus, (0.02, 1.0), strict=True)
    )
    found = heard("oqpsk-2450", on_air([weak, strong], (100, 80), 15))
    assert contents(found) == psdus


@pytest.mark.parametrize("name", LAYERS)
def test_nothing_is_found_in_noise_tones_and_silence(name: str) -> None:
    count = 300_000
    tone = np.exp(2j * np.pi * 0.03 * np.arange(count)).astype(np.complex64)
    pulses = noise(count, 1.0, 8) * (np.arange(count) % 5000 < 700)
    for samples in (noise(count, 1.0, 5), tone, np.zeros_like(tone), pulses):
        assert contents(heard(name, samples.astype(np.complex64))) == []


@pytest.mark.parametrize(
    ("rate", "shift"), [(4e6, 0.0), (8e6, 1e6), (10e6, -2.5e6), (5e6, 0.0), (3e6, 0.0)]
)
def test_other_rates_and_channels_aside(rate: float, shift: float) -> None:
    psdus = bodies((20, 100))
    frames = [signal(p, "oqpsk-2450", rate=rate, offset_hz=shift) for p in psdus]
    samples = on_air(frames, (3000, 500), 15)
    front_end = FrontEnd(rate, 4e6, shift)
    receiver = DsssReceiver(SPREADINGS["oqpsk-2450"], is_intact)
    found: list[Packet] = []
    for start in range(0, len(samples), 7001):
        found += receiver.feed(front_end.feed(samples[start : start + 7001]))
    found += receiver.finish()
    assert contents(found) == psdus
    begins = found[0].sample / 4e6 - front_end.delay / rate
    assert begins == pytest.approx(3000 / rate, abs=1e-6)


def test_a_neighbour_in_the_next_channel_is_kept_out() -> None:
    (near, far) = bodies((50, 50))
    wanted = signal(near, "oqpsk-2450", rate=16e6)
    beside = signal(far, "oqpsk-2450", rate=16e6, offset_hz=5e6, amplitude=5.0)
    both = on_air([wanted + beside], (2000,), 40)
    receiver = DsssReceiver(SPREADINGS["oqpsk-2450"], is_intact)
    found = [*receiver.feed(FrontEnd(16e6, 4e6).feed(both)), *receiver.finish()]
    assert contents(found) == [near]


def test_rates_that_cannot_be_converted_are_refused() -> None:
    with pytest.raises(ArgumentError, match="record with a round rate"):
        FrontEnd(3_999_983.7, 4e6)
    with pytest.raises(ArgumentError, match="has only 4 MHz around it"):
        FrontEnd(4e6, 4e6, 5e6)


@pytest.mark.parametrize("name", ["oqpsk-2450", "bpsk-868"])
@pytest.mark.parametrize("ppm", [-250, 250])
def test_a_clock_far_off_is_followed(name: str, ppm: float) -> None:
    """A cheap receiver: 4 to 15 samples in the longest frame."""
    psdus = bodies((125,))
    rate = SPREADINGS[name].sample_rate
    frames = [signal(p, name, rate=rate, clock_ppm=ppm) for p in psdus]
    assert contents(heard(name, on_air(frames, (300,), 12))) == psdus


@pytest.mark.parametrize("name", LAYERS)
def test_another_delimiter_is_no_frame(name: str) -> None:
    spreading = SPREADINGS[name]
    (psdu,) = bodies((20,))
    content = bytes(4) + b"\xa6" + bytes([len(psdu)]) + psdu
    wave = spreading.wave(spreading.symbols(content))
    assert heard(name, on_air([wave], (500,), 25)) == []


@pytest.mark.parametrize(("rate", "shift"), [(10e6, 1e6), (2.4e6, -0.2e6), (4e6, 1e6)])
def test_a_tone_comes_through_in_pieces_as_it_is(rate: float, shift: float) -> None:
    times = np.arange(100_000) / rate
    tone = np.exp(2j * np.pi * (shift + 0.3e6) * times).astype(np.complex64)
    front_end = FrontEnd(rate, 4e6, shift)
    pieces = [front_end.feed(tone[at : at + 7001]) for at in range(0, len(tone), 7001)]
    heard_tone = np.concatenate(pieces)
    after = np.arange(len(heard_tone)) / 4e6 - front_end.delay / rate
    expected = np.exp(2j * np.pi * 0.3e6 * after)
    edge = 200
    np.testing.assert_allclose(heard_tone[edge:], expected[edge:], atol=3e-3)
