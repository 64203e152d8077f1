# SPDX-License-Identifier: Apache-2.0
"""A radio behind SoapySDR, as a stand-in: it takes settings and samples its own way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from gnuradio import gr, soapy

from samara.cli.running import run
from samara.link.sdr import kind as sdr
from samara.phy import frames
from samara.phy.radio import Radio, RadioError, Tuning, sink, source
from samara.phy.station import waveform_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RATE, FREQUENCY = 1e6, 868.3e6
# What it takes at most in one call, in samples: buffers of devices are not of a burst.
PART = 1000


class Device(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
    """Keeps what it takes, and sends none of it."""

    def __init__(
        self,
        *,
        sends: bool,
        rate: Callable[[float], float],
        frequency: Callable[[float], float],
    ) -> None:
        ends = ([np.complex64], None) if sends else (None, [np.complex64])
        super().__init__("device", *ends)
        self._coerced = {"rate": rate, "frequency": frequency}
        self._set: dict[str, float] = {}

    def set_sample_rate(self, _: int, hertz: float) -> None:
        self._set["rate"] = self._coerced["rate"](hertz)

    def get_sample_rate(self, _: int) -> float:
        return self._set["rate"]

    def set_frequency(self, _: int, hertz: float) -> None:
        self._set["frequency"] = self._coerced["frequency"](hertz)

    def get_frequency(self, _: int) -> float:
        return self._set["frequency"]

    def set_gain(self, _: int, decibel: float) -> None:
        self._set["gain"] = decibel

    def work(self, input_items: Any, output_items: Any) -> int:  # noqa: ANN401 - GNU Radio's
        return min(PART, len((input_items or output_items)[0]))


def as_given(hertz: float) -> float:
    return hertz


def connect(
    monkeypatch: pytest.MonkeyPatch,
    rate: Callable[[float], float] = as_given,
    frequency: Callable[[float], float] = as_given,
) -> None:
    """Let SoapySDR find this device."""

    def made(*, sends: bool) -> Callable[..., Device]:
        return lambda *_: Device(sends=sends, rate=rate, frequency=frequency)

    monkeypatch.setattr(soapy, "sink", made(sends=True))
    monkeypatch.setattr(soapy, "source", made(sends=False))


@pytest.mark.parametrize("open_", [sink, source])
@pytest.mark.parametrize("share", [10.1e-6, -10.1e-6, 0.5, 1.0, -1.0])
def test_a_setting_that_the_device_takes_otherwise_is_refused(
    open_: Callable[..., object], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    radio, tuning = Radio.parse("soapy:driver=any"), Tuning(RATE, FREQUENCY)

    def other(hertz: float) -> float:
        return hertz * (1 + share)

    connect(monkeypatch, rate=other)
    with pytest.raises(
        RadioError, match=r"sample rate of .* not the 1,000,000 H"
    ) as got:
        open_(radio, tuning, 0)
    assert f"{RATE * (1 + share):,.0f} Hz" in str(got.value)
    connect(monkeypatch, frequency=other)
    with pytest.raises(RadioError, match=r"frequency of .* not the 868,300,000 Hz"):
        open_(radio, tuning, 0)


@pytest.mark.parametrize("open_", [sink, source])
@pytest.mark.parametrize("share", [0.0, 9.9e-6, -9.9e-6])
def test_a_setting_that_is_as_close_as_a_crystal_is_taken(
    open_: Callable[..., object], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def near(hertz: float) -> float:
        return hertz * (1 + share)

    connect(monkeypatch, rate=near, frequency=near)
    open_(Radio.parse("soapy:"), Tuning(RATE, FREQUENCY), 0)


def test_nothing_is_called_sent_that_a_device_only_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    connect(monkeypatch)
    monkeypatch.chdir(tmp_path)
    made = ["node", "init", "near", "--link", "sdr", "--radio", "soapy:driver=any"]
    assert run(made) == 0
    capfd.readouterr()
    assert run(["node", "send", "near", "21.5 C"]) == 0
    told = capfd.readouterr()
    size = samples_of_a_burst()
    assert size > 2 * PART
    assert told.out.startswith("handed to the device: 6 bytes in 1 packet, ")
    assert "sent" not in told.out
    assert (
        f"samara: {size:,} samples handed to the device; samara does not know whether "
        "they left it.\n"
    ) in told.err
    assert run(["node", "send", "near", "21.5 C", "--json"]) == 0
    told = capfd.readouterr()
    (line,) = told.out.splitlines()
    assert json.loads(line)["device_samples"] == size


def test_a_recording_has_what_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["node", "init", "near", "--link", "sdr", "--radio", "file:x"]) == 0
    capfd.readouterr()
    assert run(["node", "send", "near", "21.5 C"]) == 0
    told = capfd.readouterr()
    assert told.out.startswith("sent: 6 bytes in 1 packet, ")
    assert "the device" not in told.err


def samples_of_a_burst() -> int:
    """Return how many samples a burst of a new node has."""
    settings = {each.name: each.default for each in sdr.KIND.options}
    bits = frames.Codec(bytes(16), direction=0, link_id=0).coded_bits(
        settings["frame_size"]
    )
    return waveform_of(settings["modulation"], bits, RATE).samples
