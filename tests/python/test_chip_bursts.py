# SPDX-License-Identifier: Apache-2.0
"""Coded bits in the modulations of transceiver chips: soft bits, bursts, nodes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import assert_misuse, samara

from samara.errors import MisuseError
from samara.phy import channel
from samara.phy.bursts import form_of
from samara.phy.channel import Impairments, Noise
from samara.phy.coded import Code
from samara.phy.modulation import CHIPS, find
from samara.phy.station import waveform_of
from samara.phy.transceivers.bursts import ChipReceiver
from samara.phy.transceivers.profile import profiles
from samara.phy.trial import Case, Receiver, run_block, white_noise
from samara.phy.tuning import RadioError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from samara.phy.burst_form import Reception
    from samara.phy.channel import Samples

BITS = 1012
"""Coded bits of a payload of 60 bytes."""


def bits_of(seed: int, count: int = BITS) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 2, count, dtype=np.uint8)


def test_each_profile_is_a_modulation() -> None:
    assert tuple(profiles()) == CHIPS
    assert len(CHIPS) == 5
    for name in CHIPS:
        assert find(name).mapper().samples_per_symbol == profiles()[name].keying.samples


@pytest.mark.parametrize("name", CHIPS)
def test_soft_bits_without_noise_are_the_bits(name: str) -> None:
    mapper = find(name).mapper()
    for count in (1, 2, 100):
        sent = np.stack([bits_of(seed, count) for seed in (1, 2)])
        soft = mapper.demodulate(mapper.modulate(sent), 4.0)
        assert soft.shape == sent.shape
        assert ((soft < 0) == sent).all()


@pytest.mark.parametrize(("name", "least", "most"), [
    ("cc1101-msk", 2.0e-4, 1.2e-3), ("si446x", 2.0e-4, 8e-3), ("nrf24", 8e-3, 4e-2)
])  # fmt: skip
def test_error_rates_without_a_code(name: str, least: float, most: float) -> None:
    """At 8 dB: above antipodal bits; orthogonal ones without phase have 0.0213."""
    mapper, random = find(name).mapper(), np.random.default_rng(7)
    sent = random.integers(0, 2, (100, 1000), dtype=np.uint8)
    wave = mapper.modulate(sent)
    variance = mapper.samples_per_symbol / 10**0.8
    noise = white_noise(random, wave.shape) * np.float32(math.sqrt(variance))
    soft = mapper.demodulate((wave + noise).astype(np.complex64), 4 / variance)
    wrong = (soft < 0) != sent
    assert least < wrong.mean() < most
    # Likelihoods are what they say: with 2 to 4, e^-2 to e^-4 are wrong.
    some = (np.abs(soft) > 2) & (np.abs(soft) < 4)
    assert math.exp(-4) < wrong[some].mean() < math.exp(-2)


@pytest.mark.parametrize("name", ["cc1101", "sx126x"])
def test_encryption_costs_nothing_and_hard_bits_do(name: str) -> None:
    tallies = run_block(Case(name, Code.CONV, payload_size=20), 5.5, 1, 0)
    plain, ple = tallies[Receiver.PLAIN], tallies[Receiver.PLE]
    assert 0 < ple.frame_errors < 60
    assert (plain.frame_errors, plain.bit_errors) == (ple.frame_errors, ple.bit_errors)
    assert tallies[Receiver.PLE_HARD].frame_errors > 3 * ple.frame_errors
    stranger = tallies[Receiver.WRONG_KEY]
    assert stranger.frame_errors == stranger.frames
    assert 0.45 < stranger.bit_errors / stranger.bits < 0.55


def heard(name: str, samples: Samples, piece: int) -> list[Reception]:
    receiver = form_of(name).receiver(BITS)
    found: list[Reception] = []
    for start in range(0, len(samples), piece):
        found += receiver.feed(samples[start : start + piece])
    return [*found, *receiver.finish()]


@pytest.mark.parametrize("name", CHIPS)
@pytest.mark.parametrize(("ppm", "offset"), [(0, 0.0), (80, 0.1), (-80, -0.1)])
def test_bursts_with_offsets_and_other_clocks(
    name: str, ppm: float, offset: float
) -> None:
    modulator, each = form_of(name).modulator(BITS, 0.25), profiles()[name].keying
    sent = [bits_of(seed) for seed in range(3)]
    gap = np.zeros(1111, np.complex64)
    stream = np.concatenate(
        [gap, *(np.append(modulator.modulate(x), gap) for x in sent)]
    )
    turn = offset / each.samples
    path = channel.Path(Impairments(offset=turn, clock_ppm=ppm), 1)
    # 12 dB: a bit's energy over the noise density.
    power = 0.25**2 * each.samples / 10**1.2
    air = path.process(stream)
    air = air + Noise(power, 2).draw(len(air))
    found = heard(name, air, 5000)
    assert len(found) == len(sent)
    for number, (burst, bits) in enumerate(zip(found, sent, strict=True)):
        begin = 1111 + number * (modulator.samples + 1111) + modulator.half_span
        assert burst.sample == pytest.approx(begin * (1 - ppm * 1e-6), abs=3)
        assert burst.offset == pytest.approx(4 * turn, abs=2e-3)
        assert burst.snr_db == pytest.approx(12, abs=2)
        assert np.mean((burst.soft > 0) != bits) < 0.01


@pytest.mark.parametrize("name", CHIPS)
def test_noise_and_tones_are_no_bursts(name: str) -> None:
    count = 200_000
    tone = np.exp(0.02j * np.arange(count)).astype(np.complex64)
    for samples in (Noise(1.0, 3).draw(count), tone, np.zeros(count, np.complex64)):
        assert heard(name, samples, 20_000) == []


def test_noise_is_no_burst_where_a_search_points_at_it() -> None:
    receiver = ChipReceiver(profiles()["cc1101"], 100)
    for seed in range(50):
        assert receiver.read(Noise(1.0, seed).draw(1500), 0) is None


@pytest.mark.parametrize("ppm", [80, -80])
def test_the_clock_is_followed_through_the_longest_burst(ppm: float) -> None:
    bits = bits_of(3, 16 * 1024)
    form, each = form_of("cc1101"), profiles()["cc1101"].keying.samples
    burst = form.modulator(len(bits), 0.25).modulate(bits)
    path = channel.Path(Impairments(clock_ppm=ppm), 1)
    air = path.process(np.pad(burst, (500, 500)))
    # At the end a clock that nobody follows is more than a bit away.
    assert len(bits) * 80e-6 > 1
    air = air + Noise(0.25**2 * each / 10**1.2, 2).draw(len(air))
    receiver = form.receiver(len(bits))
    (found,) = [*receiver.feed(air), *receiver.finish()]
    assert np.mean((found.soft > 0) != bits) < 0.01


def test_pieces_of_any_size_give_the_same_bursts() -> None:
    modulator = form_of("cc1101").modulator(BITS, 0.25)
    stream = np.pad(modulator.modulate(bits_of(1)), (3000, 40_000))
    stream = stream + Noise(0.01, 5).draw(len(stream))
    places = [
        [(each.sample, (each.soft > 0).sum()) for each in heard("cc1101", stream, size)]
        for size in (997, 8192, len(stream))
    ]
    assert places[0] == places[1] == places[2]
    assert len(places[0]) == 1


def test_a_burst_has_the_bits_it_was_made_for() -> None:
    form = form_of("si446x")
    modulator = form.modulator(100, 0.5)
    wave = modulator.modulate(bits_of(1, 100))
    assert len(wave) == modulator.samples
    # Preamble of 4 bytes, sync word of 2, and a bit to rise and to fall.
    assert form.overhead_bits(100) == 48 + 2
    assert modulator.samples == (100 + 50) * profiles()["si446x"].keying.samples
    assert np.abs(wave).max() == pytest.approx(0.5)
    with pytest.raises(ValueError, match="a burst has 100 bits, not 99"):
        modulator.modulate(bits_of(1, 99))


def test_the_sample_rate_is_that_of_the_chip() -> None:
    waveform = waveform_of("cc1101", BITS, 307_200)
    assert waveform.burst_s == pytest.approx((BITS + 66 + 8) / 38_400)
    with pytest.raises(RadioError, match="307,200 Hz, not 1,000,000 Hz"):
        waveform_of("cc1101", BITS, 1e6)


@pytest.mark.parametrize("name", CHIPS)
def test_recordings_are_opened(name: str, tmp_path: Path) -> None:
    samara(
        *("phy", "record", "air", "--message", "21.5 C", "--modulation", name),
        *("--ebn0", "10"), folder=tmp_path,
    )  # fmt: skip
    done = samara("phy", "open", "air", "--key", "@air.key", folder=tmp_path)
    assert done.stdout.strip() == b"21.5 C"
    wrong = samara("phy", "open", "air", "--key", "00" * 16, folder=tmp_path)
    assert wrong.returncode == 1
    assert b"21.5" not in wrong.stdout


def test_nodes_talk_as_a_chip(tmp_path: Path) -> None:
    init = ("node", "init", "near", "--link", "sdr", "--modulation", "si446x")
    samara(*init, "--radio", "file:air", folder=tmp_path)
    samara("node", "init", "far", "--pair-with", "near", folder=tmp_path)
    samara("node", "send", "near", "21.5 C", folder=tmp_path)
    heard = samara(*("node", "listen", "far", "--count", "1", "--raw"), folder=tmp_path)
    assert heard.stdout == b"21.5 C"
    refused = samara(
        *("node", "send", "near", "x", "--rate", "1000000"), folder=tmp_path
    )
    assert_misuse(refused, "si446x has a sample rate of 800,000 Hz")


def test_a_recording_at_another_rate_is_refused(tmp_path: Path) -> None:
    done = samara(
        *("phy", "record", "x", "--message", "y", "--modulation", "cc1101"),
        *("--rate", "1MHz"), folder=tmp_path,
    )  # fmt: skip
    assert_misuse(done, "cc1101 has a sample rate of 307200 Hz")


def test_there_is_no_form_of_what_is_no_modulation() -> None:
    with pytest.raises(MisuseError, match="unknown modulation 'fm'"):
        form_of("fm")
