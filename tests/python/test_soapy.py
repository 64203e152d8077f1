# SPDX-License-Identifier: Apache-2.0
"""Settings that a radio behind SoapySDR takes, by a stand-in; see test_radios, too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from samara.cli.running import run
from samara.phy import soapy_blocks
from samara.phy.radio import Radio, sink, source
from samara.phy.soapy_device import AppliedSettings
from samara.phy.tuning import RadioError, Tuning

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RATE, FREQUENCY = 1e6, 868.3e6


def as_given(hertz: float) -> float:
    return hertz


def connect(
    monkeypatch: pytest.MonkeyPatch,
    rate: Callable[[float], float] = as_given,
    frequency: Callable[[float], float] = as_given,
) -> None:
    """Let SoapySDR find a device that takes settings in its own way."""

    def made(_: str, tuning: Tuning, *__: str) -> SimpleNamespace:
        taken = AppliedSettings(
            rate(tuning.sample_rate), frequency(tuning.frequency), 0.0, 0.0
        )
        return SimpleNamespace(taken=taken)

    monkeypatch.setattr(soapy_blocks, "soapy_sink", made)
    monkeypatch.setattr(soapy_blocks, "soapy_source", made)


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


def test_a_recording_has_what_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["node", "init", "near", "--link", "sdr", "--radio", "file:x"]) == 0
    capfd.readouterr()
    assert run(["node", "send", "near", "21.5 C"]) == 0
    captured = capfd.readouterr()
    assert captured.out.startswith("sent: 6 bytes in 1 packet, ")
    assert "the device" not in captured.err
