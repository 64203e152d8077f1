# SPDX-License-Identifier: Apache-2.0
"""What a channel does to bursts beside noise: fading, interference, front ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from samara.errors import ArgumentError, MisuseError
from samara.phy.channel import Impairments, Noise, Path, Ray
from samara.phy.error_rates import ErrorRates, ErrorRatesRequest, error_rates
from samara.phy.front_end import FrontEnd, Reception, Surroundings
from samara.phy.impairing import ImpairedRequest
from samara.phy.interference import Neighbours, Pulses, Tone
from samara.phy.serving import ChannelRequest
from samara.phy.trial import Fading

if TYPE_CHECKING:
    from samara.phy.channel import Samples

EVERYTHING = FrontEnd(
    heard=(Tone(0.01, 0.1), Pulses(0.001, 70, 2.0), Neighbours(1e-4, 0.5)),
    constant=0.1,
    iq_gain_db=0.5,
    iq_phase=0.05,
    gain_rate=0.002,
    gain_step_db=3,
    bits=8,
)


def received(front_end: FrontEnd, count: int, power: float = 0.0) -> Samples:
    reception = Reception(front_end, power, 3)
    return reception.convert(reception.draw(count))


def test_a_reception_is_the_same_however_it_is_cut() -> None:
    whole = received(EVERYTHING, 50_000, 0.01)
    reception = Reception(EVERYTHING, 0.01, 3)
    sizes = np.random.default_rng(1).integers(0, 400, 1000)
    parts = [reception.convert(reception.draw(int(size))) for size in sizes]
    pieces = np.concatenate(parts)[: len(whole)]
    assert len(pieces) == len(whole)
    # A sum of floats in another order may fall on another step of the converter.
    different = np.abs(pieces - whole) > 1e-5
    assert np.mean(different) < 1e-3
    assert np.abs(pieces - whole).max() < 0.01


def test_an_ideal_reception_is_noise_alone() -> None:
    assert np.array_equal(received(FrontEnd(), 1000, 2.0), Noise(2.0, 3).draw(1000))


def test_a_tone_has_its_frequency_and_power() -> None:
    heard = received(FrontEnd(heard=(Tone(-0.0625, 4.0),)), 1600)
    spectrum = np.abs(np.fft.fft(heard) / len(heard)) ** 2
    assert spectrum[-100] == pytest.approx(4.0, rel=1e-3)
    assert spectrum.sum() == pytest.approx(4.0, rel=1e-3)


def test_pulses_come_as_often_as_long_and_as_strong_as_said() -> None:
    heard = received(FrontEnd(heard=(Pulses(1e-3, 50, 9.0),)), 1_000_000)
    present = heard != 0
    # The pause before the next one begins when a pulse has ended.
    expected = 50 / (1000 + 50)
    assert np.mean(present) == pytest.approx(expected, rel=0.1)
    assert np.mean(np.abs(heard[present]) ** 2) == pytest.approx(9.0, rel=0.05)
    starts = np.flatnonzero(np.diff(present.astype(int)) == 1)
    ends = np.flatnonzero(np.diff(present.astype(int)) == -1)
    assert np.median(ends[: len(starts) - 1] - starts[: len(ends) - 1]) == 50


def test_neighbours_have_their_power_and_the_band_of_qpsk() -> None:
    heard = received(FrontEnd(heard=(Neighbours(1e-4, 3.0),)), 400_000)
    present = heard != 0
    assert 0.2 < np.mean(present) < 0.4
    assert np.mean(np.abs(heard[present]) ** 2) == pytest.approx(3.0, rel=0.1)
    spectrum = np.abs(np.fft.fft(heard)) ** 2
    inside = np.abs(np.fft.fftfreq(len(heard))) < 0.3
    assert spectrum[inside].sum() > 0.99 * spectrum.sum()


def test_a_constant_is_the_mean() -> None:
    heard = received(FrontEnd(constant=0.3), 1000, 0.01)
    assert abs(heard.mean()) == pytest.approx(0.3, rel=0.05)


def test_an_imbalance_has_the_image_that_it_must_have() -> None:
    """A gain of 1 dB alone has its image 24.8 dB below: 20 lg((g - 1) / (g + 1))."""
    heard = received(FrontEnd(heard=(Tone(0.125, 1.0),), iq_gain_db=1.0), 800)
    spectrum = np.abs(np.fft.fft(heard)) ** 2
    image_db = 10 * math.log10(spectrum[-100] / spectrum[100])
    gain = 10 ** (1 / 20)
    assert image_db == pytest.approx(20 * math.log10((gain - 1) / (gain + 1)), abs=0.1)
    turned = received(FrontEnd(heard=(Tone(0.125, 1.0),), iq_phase=0.1), 800)
    spectrum = np.abs(np.fft.fft(turned)) ** 2
    image_db = 10 * math.log10(spectrum[-100] / spectrum[100])
    assert image_db == pytest.approx(20 * math.log10(math.tan(0.05)), abs=0.1)


def test_gain_steps_have_three_levels() -> None:
    front_end = FrontEnd(heard=(Tone(0.0, 1.0),), gain_rate=0.01, gain_step_db=6)
    levels = np.unique(np.round(20 * np.log10(np.abs(received(front_end, 50_000))), 2))
    np.testing.assert_allclose(levels, [-6, 0, 6], atol=0.01)


@pytest.mark.parametrize("bits", [1, 2, 8, 16])
def test_a_converter_has_so_many_steps(bits: int) -> None:
    heard = received(FrontEnd(bits=bits), 400_000, 4.0)
    values = np.unique(heard.real)
    assert len(values) == (2**bits if bits < 16 else len(values))
    assert np.abs(values).max() == 1 - 2.0**-bits
    quiet = Reception(FrontEnd(bits=bits), 0.0, 1).convert(
        np.full(1, 0.3, np.complex64)
    )
    assert abs(quiet[0].real - 0.3) <= 2.0**-bits


def test_fading_is_rayleigh_with_the_doppler_spectrum() -> None:
    gains = [
        Path(Impairments(doppler=1e-3), seed).process(np.ones(20_000, np.complex64))
        for seed in range(40)
    ]
    powers = np.abs(np.array(gains)) ** 2
    assert powers.mean() == pytest.approx(1, abs=0.1)
    # An exponential distribution: a tenth of it is below 0.105.
    assert np.mean(powers < 0.105) == pytest.approx(0.1, abs=0.03)
    # The correlation of Clarke's model: J0(2 pi f t), -0.40 at the first minimum.
    lag = round(3.8317 / (2 * np.pi * 1e-3))
    pairs = np.array(gains)[:, :-lag].conj() * np.array(gains)[:, lag:]
    assert np.mean(pairs.real) == pytest.approx(-0.40, abs=0.12)


def test_fading_is_the_same_however_a_stream_is_cut() -> None:
    fading = Impairments(doppler=5e-4, rays=(Ray(0, 0), Ray(2.5, -3)))
    stream = Noise(1.0, 1).draw(9000)
    whole = Path(fading, 5).process(stream)
    path = Path(fading, 5)
    cuts = np.sort(np.random.default_rng(2).integers(0, len(stream), 60))
    pieces = np.concatenate([path.process(part) for part in np.split(stream, cuts)])
    np.testing.assert_allclose(pieces, whole, atol=1e-5)


def test_options_mean_what_their_units_say() -> None:
    request = ImpairedRequest(
        rate=2e6,
        offset=1000.0,
        doppler=200.0,
        tones="20kHz:3,-1000:-10",
        pulses="40:0.5ms:20",
        neighbours="10:6",
        dc="-20",
        iq_imbalance="0.5:90",
        gain_steps="8:3",
        bits=12,
    )
    with pytest.raises(ArgumentError, match="pi/2"):
        request.front_end(0.25)
    path = request.path(-1)
    assert path.offset == -0.0005
    assert path.doppler == 1e-4
    front_end = ImpairedRequest(
        rate=2e6, tones=request.tones, pulses=request.pulses, dc="-20", bits=12
    ).front_end(0.25)
    first, second, pulses = front_end.heard
    assert isinstance(first, Tone)
    assert first.frequency == 0.01
    assert first.power == pytest.approx(0.25 * 1.9953, rel=1e-4)
    assert isinstance(second, Tone)
    assert second.frequency == -0.0005
    assert second.power == pytest.approx(0.025)
    assert pulses == Pulses(2e-5, 1000, 25.0)
    assert front_end.constant == pytest.approx(0.05)
    assert front_end.bits == 12


@pytest.mark.parametrize(
    "given",
    [
        {"tones": "1"},
        {"tones": "1:2:3"},
        {"tones": "1:101"},
        {"pulses": "0:1ms:3"},
        {"pulses": "1:1ms"},
        {"neighbours": "x:1"},
        {"dc": "nan"},
        {"iq_imbalance": "1:inf"},
        {"gain_steps": "-1:3"},
    ],
)
def test_a_wrong_text_is_refused(given: dict[str, str]) -> None:
    (option,) = given
    with pytest.raises(MisuseError, match=f"--{option.replace('_', '-')} .* expected"):
        ImpairedRequest(**given).front_end(1.0)  # type: ignore[arg-type]


def test_both_commands_have_the_same_channel() -> None:
    given = {"tones": "5kHz:0", "doppler": 20.0, "bits": 10}
    channel = ChannelRequest(**given)  # type: ignore[arg-type]
    rates = ErrorRatesRequest(**given)  # type: ignore[arg-type]
    surroundings = rates.surroundings()
    assert surroundings == Surroundings(channel.path(), channel.front_end(0.25**2))
    assert ErrorRatesRequest().surroundings() is None
    assert ErrorRatesRequest(bursts=True).surroundings() == Surroundings()


def rates(modulation: str, ebn0: str, **given: Any) -> tuple[float, Any]:  # noqa: ANN401
    request = ErrorRatesRequest(
        modulation=(modulation,),
        ebn0=ebn0,
        frames=250,
        errors=1000,
        payload_size=20,
        workers=1,
        **given,
    )
    (record,) = (one for one in error_rates(request) if isinstance(one, ErrorRates))
    return record.receivers["ple"].fer.value, record.impairments


@pytest.mark.parametrize(
    ("modulation", "ebn0", "most"),
    # In DSSS, one preamble in ten is not found at 3 dB.
    [
        ("bpsk", "2", 0.1),
        ("qpsk", "2", 0.1),
        ("16-qam", "5", 0.1),
        ("o-qpsk-dsss", "3", 0.2),
    ],
)
def test_bursts_lose_little_beside_symbols(
    modulation: str, ebn0: str, most: float
) -> None:
    symbols, without = rates(modulation, ebn0)
    bursts, options = rates(modulation, ebn0, bursts=True)
    assert without is None
    assert options == {}
    assert 0.02 < symbols < 0.6
    assert abs(bursts - symbols) < most


@pytest.mark.slow
def test_impairments_cost_what_they_must() -> None:
    deaf, options = rates("qpsk", "20", pulses="2000:2ms:30")
    assert options == {"pulses": "2000:2ms:30"}
    assert deaf > 0.9
    assert rates("qpsk", "20", dc="0")[0] == 0
    assert rates("qpsk", "20", clock_ppm=50.0, offset=10e3, bits=6)[0] == 0


def test_two_kinds_of_fading_are_misuse() -> None:
    request = ErrorRatesRequest(fading=Fading.RAYLEIGH, doppler=10.0)
    with pytest.raises(MisuseError, match="--doppler"):
        list(error_rates(request))
