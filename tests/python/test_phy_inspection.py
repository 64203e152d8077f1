# SPDX-License-Identifier: Apache-2.0
"""What `samara phy inspect` and `reuse` see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy.signal import upfirdn  # type: ignore[import-untyped]
from shell import assert_done, assert_misuse, samara

from samara.phy import inspection, inspection_pictures, recordings, reuse
from samara.phy.channel import THREE_RAYS, Impairments, Noise
from samara.phy.channel import Path as Way
from samara.phy.composing import Composition, compose
from samara.phy.modulation import MODULATIONS, find

if TYPE_CHECKING:
    from pathlib import Path

    from samara.phy.channel import Samples

RATE = 1e6


def signal(name: str, bits: int = 2400) -> Samples:
    """Return two bursts at 4 samples a symbol, 0.02 cycles off, in noise."""
    random = np.random.default_rng(1)
    symbols = (
        find(name).mapper().modulate(random.integers(0, 2, (1, bits), np.uint8))[0]
    )
    # A root-raised-cosine pulse with a roll-off of 0.35, by its spectrum.
    f = np.abs(np.fft.fftfreq(128, 1 / 4))
    edge = np.clip((f - 0.325) / 0.35, 0, 1)
    pulse = np.fft.fftshift(np.fft.ifft(np.cos(np.pi / 2 * edge)).real)
    burst = upfirdn(pulse / np.linalg.norm(pulse), symbols, up=4) * 0.6
    gap = np.zeros(2000)
    sent = np.concatenate((gap, burst, gap, burst, gap)).astype(np.complex64)
    heard = Way(Impairments(offset=0.02, phase_noise=0.002), 1).process(sent)
    return heard + Noise(0.0005, 2).draw(len(heard))


def recorded(folder: Path, samples: Samples) -> recordings.Recording:
    recordings.write_recording(folder / "one", samples, RATE, frequency=868e6)
    return recordings.open_recording(folder / "one")


def test_facts(tmp_path: Path) -> None:
    samples = signal("qpsk")
    recording = recorded(tmp_path, samples)
    found = inspection.facts(recording, *inspection.load(recording))
    assert found.samples == found.looked_at == len(samples)
    assert found.duration_s == pytest.approx(len(samples) / RATE)
    first, second = found.bursts
    assert first.start == pytest.approx(2000, abs=128)
    assert first.count == pytest.approx(4 * 1200 + 128, abs=192)
    assert second.start - first.start == pytest.approx(4 * 1200 + 128 + 2000, abs=64)
    assert found.noise_db == pytest.approx(-33, abs=1)
    low, high = found.occupied_hz
    # 1.35 symbol rates wide, 20 kHz above the carrier.
    assert low < 20e3 < high
    assert 220e3 < high - low < 420e3


@pytest.mark.parametrize("gap", [1500, 4000])
@pytest.mark.parametrize("ebn0_db", [14, 20, 40])
@pytest.mark.parametrize("name", MODULATIONS)
def test_every_burst_is_found_once(name: str, ebn0_db: float, gap: int) -> None:
    # With DSSS at 14 dB, a burst has less power than the noise.
    rough = Impairments(offset=0.01, rays=THREE_RAYS, phase_noise=0.001)
    how = Composition(modulation=name, ebn0_db=ebn0_db, gap=gap, impairments=rough)
    composed = compose(bytes(range(256)) * 2 + bytes(148), bytes(16), how)
    found = inspection.bursts(composed.samples)
    assert len(found) == len(composed.annotations) == 11
    for burst, sent in zip(found, composed.annotations, strict=True):
        assert burst.start == pytest.approx(sent.start, abs=150)
        end = burst.start + burst.count
        assert end == pytest.approx(sent.start + sent.count, abs=150)


@pytest.mark.parametrize("level", [1e-6, 1.0, 1e6])
def test_noise_is_one_stretch(level: float) -> None:
    for seed in range(20):
        noise = Noise(level, seed).draw(60_000)
        (whole,) = inspection.bursts(noise)
        assert (whole.start, whole.count) == (0, len(noise))
        assert whole.power_db == pytest.approx(10 * np.log10(level), abs=0.1)


def test_power_of_a_burst_and_what_is_not_noise() -> None:
    samples = np.zeros(6400, np.complex64)
    samples[1280:2560] = 0.1
    samples[3200:3840] = 1j
    found = inspection.bursts(samples)
    assert [(burst.start, burst.count) for burst in found] == [
        (1280, 1280),
        (3200, 640),
    ]
    assert [burst.power_db for burst in found] == pytest.approx([-20, 0], abs=1e-3)


def test_the_spectrum_of_a_tone() -> None:
    times = np.arange(512 * 8) / RATE
    tone = np.exp(2j * np.pi * 125e3 * times).astype(np.complex64)
    found = inspection.spectrum(np.concatenate((0 * tone, tone)), RATE)
    assert found.frequencies[found.power.argmax()] == 125e3
    assert found.frequencies[0] == -RATE / 2
    assert len(found.times) == 16
    assert found.times[8] == pytest.approx(512 * 8 / RATE)
    assert not found.waterfall[:8].any()
    assert (found.waterfall[8:].argmax(axis=1) == found.power.argmax()).all()


@pytest.mark.parametrize("name", ["bpsk", "qpsk", "16-qam"])
def test_constellation_is_found_blindly(name: str) -> None:
    symbols = inspection.constellation(signal(name), 4)
    grid = (
        find(name)
        .mapper()
        .modulate(
            np.array([[i >> bit & 1 for i in range(16) for bit in range(4)]], np.uint8)
        )[0]
    )
    distances = np.abs(symbols[:, np.newaxis] - grid[np.newaxis]).min(axis=1)
    assert len(symbols) > 500
    assert np.median(distances) < 0.1
    assert (distances < 0.3).mean() > 0.98


@pytest.mark.parametrize("count", [1, 63, 64, 511, 513])
@pytest.mark.parametrize("level", [0, 1])
def test_small_and_silent_recordings(count: int, level: int, tmp_path: Path) -> None:
    recording = recorded(tmp_path, np.full(count, level, np.complex64))
    samples, not_finite = inspection.load(recording)
    found = inspection.facts(recording, samples, not_finite)
    assert (found.samples, not_finite) == (count, 0)
    assert len(found.bursts) == (1 if level and count >= 64 else 0)
    assert (found.power_db is None) == (not level)
    for samples_per_symbol in (1, 4, 64):
        inspection.constellation(samples, samples_per_symbol)


def test_samples_that_are_no_numbers(tmp_path: Path) -> None:
    samples = signal("bpsk", 400)
    samples[100:200] = np.nan
    samples[300] = np.inf
    samples[301] = 1e30
    recorded(tmp_path, samples)
    done = samara("phy", "inspect", "one", "--json", folder=tmp_path)
    found = json.loads(assert_done(done))
    assert found["not_finite"] == 102
    assert found["peak"] < 10


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    data=st.binary(min_size=8, max_size=4000),
    datatype=st.sampled_from(["cf32_le", "ci16_le"]),
)
def test_any_bytes_are_a_recording(data: bytes, datatype: str, tmp_path: Path) -> None:
    about = {
        "global": {
            "core:datatype": datatype,
            "core:sample_rate": RATE,
            "core:version": "1.0.0",
        },
        "captures": [],
        "annotations": [],
    }
    (tmp_path / "x.sigmf-meta").write_text(json.dumps(about))
    (tmp_path / "x.sigmf-data").write_bytes(data)
    recording = recordings.open_recording(tmp_path / "x")
    samples, not_finite = inspection.load(recording)
    inspection.facts(recording, samples, not_finite)
    assert np.isfinite(inspection.constellation(samples, 4)).all()


@pytest.mark.slow
def test_a_picture_of_a_recording(tmp_path: Path) -> None:
    recorded(tmp_path, signal("qpsk"))
    done = samara("phy", "inspect", "one.sigmf-meta", "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done
    output = done.stdout.decode()
    assert "868 MHz" in output
    # Averages of 64 samples at 1 MS/s.
    assert "burst at 1.9" in output or "burst at 2.0" in output
    assert (tmp_path / "out" / "one.png").read_bytes().startswith(b"\x89PNG")


def test_the_waterfall_has_a_scale(tmp_path: Path) -> None:
    recording = recorded(tmp_path, signal("qpsk"))
    samples, _ = inspection.load(recording)
    figure = Figure()
    inspection_pictures.paint(figure, recording, samples, 4)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels.count("dB, of the highest") == 2
    waterfall = next(axes for axes in figure.axes if axes.get_title() == "waterfall")
    (image,) = waterfall.images
    assert image.get_clim() == (-60, 0)
    left, right, bottom, top = image.get_extent()
    assert (left, top) == (-500, 0)
    assert right == pytest.approx(500, abs=3)
    assert bottom == pytest.approx(len(samples) // 512 * 512 / RATE * 1e3)


@pytest.mark.parametrize(
    ("meta", "words"),
    [
        (None, "there is no x.sigmf-meta: a SigMF recording is two files, NAME.sig"),
        (b"", "x.sigmf-meta cannot be read as a recording: it is not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not valid SigMF"),
        (b'{"global": {}}', "not valid SigMF"),
    ],
)
def test_what_is_no_recording(meta: bytes | None, words: str, tmp_path: Path) -> None:
    if meta is not None:
        (tmp_path / "x.sigmf-meta").write_bytes(meta)
    done = samara("phy", "inspect", "x", folder=tmp_path)
    assert_misuse(done, "x.sigmf-meta", words)


def test_bits_on_the_air_are_random_with_encryption_only() -> None:
    encrypted, plain = reuse.randomness(200, 3)
    assert encrypted.passes
    assert not plain.passes
    assert max(plain.monobit, plain.runs, plain.serial, plain.codeword) < 1e-6


def test_tests_of_randomness_notice() -> None:
    random = np.random.default_rng(1)
    rows = {
        "more ones": (random.random((100, 1000)) < 0.52).astype(np.uint8),
        "in turn": np.tile(np.array([0, 1], np.uint8), (100, 500)),
        "patterns": np.tile(np.array([0, 0, 1, 1, 0, 1, 1, 0], np.uint8), (100, 125)),
    }
    for name, bits in rows.items():
        assert not reuse.tested(name, bits).passes, name
    fair = reuse.tested("fair", random.integers(0, 2, (100, 1000), np.uint8))
    assert fair.passes


def test_a_nonce_that_was_used_twice_is_noticed_without_the_key() -> None:
    found = reuse.detection(200, 7, 1)
    assert found.detected > 0.99
    assert found.false_alarms == 0
    assert found.payload_sum_right > 0.999
    clear = reuse.detection(20, 30, 1)
    assert clear.reused.max() == 0, "a word of the code fails a parity check"


@pytest.mark.slow
def test_reuse_draws_and_tells(tmp_path: Path) -> None:
    done = samara("phy", "reuse", "--frames", "100", "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done
    assert "zeros with Grain-128PLE" in done.stdout.decode()
    assert (tmp_path / "out" / "reuse.png").read_bytes().startswith(b"\x89PNG")


def test_randomness_known_answers() -> None:
    # NIST SP 800-22, sections 2.1.8 and 2.3.8: the first 10 bits.
    monobit = np.array([[1, 0, 1, 1, 0, 1, 0, 1, 0, 1]], np.uint8)
    runs = np.array([[1, 0, 0, 1, 1, 0, 1, 0, 1, 1]], np.uint8)
    assert reuse.tested("", monobit).monobit == pytest.approx(0.527089, abs=1e-6)
    assert reuse.tested("", runs).runs == pytest.approx(0.147232, abs=1e-6)
    same = reuse.tested("", np.ones((1, 100), np.uint8))
    assert same.runs == 0
    limits = [reuse.passed((1, 1, 1, value)) for value in (0.0101, 0.0099)]
    assert limits == [True, False]


def test_an_alarm_is_false_once_in_a_million() -> None:
    found = reuse.detection(10, 6, 1)
    # 8 * 64 + 6 steps, and 6 checks beyond the end.
    assert found.threshold == pytest.approx(0.5 - 4.75 * 0.5 / (518 + 6) ** 0.5)


def test_facts_of_a_carrier(tmp_path: Path) -> None:
    samples = np.full(100_000, 0.5j, np.complex64)
    samples[70_000] = 2
    recording = recorded(tmp_path, samples)
    found = inspection.facts(recording, samples, 0)
    assert found.peak == 2
    assert found.offset == pytest.approx(0.5, abs=1e-3)
    assert found.duration_s == pytest.approx(0.1)
    assert found.noise_db == pytest.approx(-6.02, abs=0.01)
    assert found.power_db == pytest.approx(-6.02, abs=0.01)
    assert inspection.MOST_SAMPLES == 1 << 22


@pytest.mark.parametrize(("rays", "echo"), [("none", 0), ("0:0,24:-3", 6)])
@pytest.mark.parametrize("name", ["qpsk", "16-qam"])
def test_late_echoes_are_reported(
    name: str, rays: str, echo: int, tmp_path: Path
) -> None:
    how = ("--modulation", name, "--multipath", rays, "--ebn0", "20")
    done = samara("phy", "record", "x", "--message", "a", *how, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = assert_done(samara("phy", "inspect", "x", "--json", folder=tmp_path))
    burst = json.loads(lines.splitlines()[1])
    assert burst["type"] == "received_burst"
    # The feedback may find a part of the echo in the symbols around its own.
    assert burst["echo_symbols"] in range(echo, echo + 3 if echo else 1)
    table = assert_done(samara("phy", "inspect", "x", folder=tmp_path)).decode()
    sentence = (
        f"echoes up to {burst['echo_symbols']} symbols late" if echo else "no late"
    )
    assert sentence in table
    assert f"{burst['snr_db']:.1f} dB" in table


def test_bursts_of_unknown_form_are_not_received(tmp_path: Path) -> None:
    recorded(tmp_path, signal("qpsk"))
    lines = assert_done(samara("phy", "inspect", "one", "--json", folder=tmp_path))
    assert [json.loads(line)["type"] for line in lines.splitlines()] == ["recording"]
