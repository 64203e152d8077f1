# SPDX-License-Identifier: Apache-2.0
"""The channel between radios: its model, and its process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
import zmq

from samara.phy.air import Air, Endpoints
from samara.phy.channel import (
    THREE_RAYS,
    Impairments,
    Noise,
    Path,
    Ray,
    impulse_response,
    noise_power,
)

if TYPE_CHECKING:
    import pathlib

    from samara.phy.channel import Samples

ROUGH = Impairments(offset=0.01, clock_ppm=100, rays=THREE_RAYS, phase_noise=1e-3)


def signal(count: int, seed: int = 1) -> Samples:
    return Noise(1.0, seed).draw(count)


@pytest.mark.parametrize("impairments", [Impairments(), ROUGH, Impairments(loss=0.5)])
def test_a_stream_is_the_same_however_it_is_cut(impairments: Impairments) -> None:
    burst = signal(700)
    gap = np.zeros(300, np.complex64)
    stream = np.concatenate([burst, gap] * 20)
    whole = Path(impairments, 5).process(stream)
    cuts = np.sort(np.random.default_rng(2).integers(0, len(stream), 60))
    path = Path(impairments, 5)
    pieces = np.concatenate([path.process(part) for part in np.split(stream, cuts)])
    assert len(pieces) == len(whole)
    np.testing.assert_allclose(pieces, whole, atol=1e-5)
    assert path.bursts == 20


def test_nothing_wrong_is_nothing_changed_but_the_phase() -> None:
    stream = signal(1000)
    arrived = Path(Impairments(), 3).process(stream)
    turn = arrived[0] / stream[0]
    assert abs(turn) == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(arrived, stream * turn, atol=1e-5)


def test_the_offset_turns_the_phase_by_so_many_cycles_a_sample() -> None:
    arrived = Path(Impairments(offset=0.05), 3).process(np.ones(4000, np.complex64))
    steps = np.angle(arrived[1:] / arrived[:-1]) / (2 * np.pi)
    np.testing.assert_allclose(steps, 0.05, atol=1e-6)


def test_a_faster_clock_gives_fewer_samples() -> None:
    tone = np.exp(2j * np.pi * 0.02 * np.arange(100_000)).astype(np.complex64)
    arrived = Path(Impairments(clock_ppm=1000), 3).process(tone)
    assert len(tone) - len(arrived) == pytest.approx(100, abs=3)
    steps = np.angle(arrived[10:] / arrived[9:-1]) / (2 * np.pi)
    assert np.mean(steps) == pytest.approx(0.02 * 1.001, rel=1e-6)


def test_whole_delays_are_taps_and_power_is_kept() -> None:
    taps = impulse_response([Ray(0, 0), Ray(3, -20)])
    np.testing.assert_allclose(np.abs(taps[[0, 3]]), [0.995, 0.0995], atol=1e-3)
    assert np.count_nonzero(np.abs(taps) > 1e-6) == 2
    assert np.sum(np.abs(impulse_response(THREE_RAYS)) ** 2) == pytest.approx(1)


def test_noise_has_its_power_and_gaussian_tails() -> None:
    noise = Noise(0.5, 7).draw(1_000_000)
    assert np.mean(np.abs(noise) ** 2) == pytest.approx(0.5, rel=0.01)
    # Beyond 4.5 sigma lie 6.8e-6 of real parts: 16,384 stored values have none.
    beyond = np.count_nonzero(np.abs(noise.view(np.float32)) > 4.5 * np.sqrt(0.25))
    assert 3 <= beyond <= 30
    assert len(np.unique(noise.real)) > 900_000


def test_noise_power_of_known_cases() -> None:
    assert noise_power(0, 1) == pytest.approx(1)
    assert noise_power(10, 0.25) == pytest.approx(0.4)


def test_losses_are_of_whole_bursts() -> None:
    burst = np.ones(100, np.complex64)
    stream = np.concatenate([burst, np.zeros(100, np.complex64)] * 200)
    path = Path(Impairments(loss=0.3), 11)
    arrived = np.abs(path.process(stream)).reshape(200, 200)[:, :100]
    energy = np.round(arrived.sum(axis=1))
    assert set(energy) == {0.0, 100.0}
    assert path.bursts == 200
    assert path.lost == np.count_nonzero(energy == 0)
    assert 30 <= path.lost <= 90


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": 1.5},
        {"offset": 0.7},
        {"clock_ppm": 1e6},
        {"rays": ()},
        {"rays": (Ray(-1, 0),)},
        {"phase_noise": float("nan")},
        {"offset": float("nan")},
    ],
)
def test_impossible_figures_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"offset|loss|clock|rays|phase"):
        Impairments(**wrong)  # type: ignore[arg-type]


def connect(
    context: zmq.Context[zmq.Socket[bytes]], ends: Endpoints
) -> tuple[zmq.Socket[bytes], zmq.Socket[bytes]]:
    push, pull = context.socket(zmq.PUSH), context.socket(zmq.PULL)
    push.bind(ends.transmit)
    pull.connect(ends.receive)
    pull.set(zmq.RCVTIMEO, 5000)
    return push, pull


def test_every_radio_hears_the_others_but_not_itself(tmp_path: pathlib.Path) -> None:
    address = f"ipc://{tmp_path}/air"
    burst = signal(5000)
    with (
        zmq.Context() as context,
        Air(
            address,
            [Impairments(clock_ppm=80), Impairments(), Impairments()],
            noise_power=1e-12,
            sample_rate=1e6,
        ) as air,
    ):
        radios = [connect(context, Endpoints.of(address, k)) for k in range(3)]
        for _, pull in radios:
            heard_silence = False
            while not heard_silence:
                air.step(100)
                heard_silence = bool(pull.poll(50))
        radios[0][0].send(burst)
        heard = [np.zeros(0, np.complex64) for _ in radios]
        for _ in range(300):
            air.step(100)
        for k, (_, pull) in enumerate(radios):
            while pull.poll(100):
                heard[k] = np.append(heard[k], np.frombuffer(pull.recv(), np.complex64))
        for socket in sum(radios, ()):
            socket.close(0)
    powers = [float(np.sum(np.abs(samples) ** 2)) for samples in heard]
    sent = float(np.sum(np.abs(burst) ** 2))
    assert powers[0] < 1e-3 * sent
    # Reading white noise at another rate smooths it a little.
    assert powers[1] == pytest.approx(powers[2], rel=1e-3)
    assert 0.5 * sent < powers[1] < 1.1 * sent


def test_the_command_says_when_it_is_ready_and_what_it_did(
    tmp_path: pathlib.Path,
) -> None:
    command = [sys.executable, "-m", "samara.cli", "channel", "--json"]
    options = ["--address", f"ipc://{tmp_path}/air", "--duration", "0.1"]
    done = subprocess.run(
        [*command, *options, "--rate", "250e3"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    ready, statistics = map(json.loads, done.stdout.splitlines())
    assert ready["ready"] is True
    assert len(ready["radios"]) == 2
    assert statistics["seconds"] == pytest.approx(0.1)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--multipath", "much"], "is not understood"),
        (["--address", "udp://x"], "is no address of a channel"),
        (["--offset", "1e9"], "is beyond 0.5"),
    ],
)
def test_the_command_explains_what_is_wrong(options: list[str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "samara.cli", "channel", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
