# SPDX-License-Identifier: Apache-2.0
"""The channel between radios: its model, and its process."""

from __future__ import annotations

import contextlib
import json
import math
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pmt
import pytest
import zmq
from gnuradio import blocks, gr
from links import Running
from shell import assert_misuse, samara

from samara.errors import ArgumentError
from samara.phy import air as airs
from samara.phy.addresses import Endpoints, default_address
from samara.phy.air import Air
from samara.phy.air_places import Listener, is_listened_at
from samara.phy.channel import (
    THREE_RAYS,
    Impairments,
    Noise,
    Path,
    Ray,
    impulse_response,
    noise_power,
)
from samara.phy.multipath import rays_of
from samara.phy.radio import LENGTH_TAG, Radio, sink
from samara.phy.serving import ChannelRequest, run_channel
from samara.phy.tuning import RadioError, Tuning

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

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
        steps_after_start = 0
        # A block is taken after each step: a slow machine fills no queue.
        while steps_after_start < 2 * len(burst) // 100:
            air.step(100)
            for k, (_, pull) in enumerate(radios):
                heard[k] = np.append(heard[k], np.frombuffer(pull.recv(), np.complex64))
            steps_after_start += air.statistics.bursts[0]
        for k, (_, pull) in enumerate(radios):
            while pull.poll(100):
                heard[k] = np.append(heard[k], np.frombuffer(pull.recv(), np.complex64))
        assert air.statistics.overruns == [0, 0, 0]
        for socket in sum(radios, ()):
            socket.close(0)
    powers = [float(np.sum(np.abs(samples) ** 2)) for samples in heard]
    sent = float(np.sum(np.abs(burst) ** 2))
    assert powers[0] < 1e-3 * sent
    # Reading white noise at another rate smooths it a little.
    assert powers[1] == pytest.approx(powers[2], rel=1e-3)
    assert 0.5 * sent < powers[1] < 1.1 * sent
    assert air.statistics.bursts == [1, 0, 0]
    assert air.statistics.lost_bursts == [0, 0, 0]


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
    assert ready["type"] == "channel_ready"
    assert ready["radios"] == [
        asdict(Endpoints.of(ready["address"], number)) for number in range(2)
    ]
    assert statistics["type"] == "channel_statistics"
    assert statistics["seconds"] == pytest.approx(0.1)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("delay", "gain_db"),
    [(-0.1, 0), (64.1, 0), (math.nan, 0), (1, 100.1), (1, -100.1), (1, math.nan)],
)
def test_rays_that_are_not_possible(delay: float, gain_db: float) -> None:
    with pytest.raises(ArgumentError, match="rays must have delays between"):
        Impairments(rays=[Ray(delay, gain_db)])
    Impairments(rays=[Ray(64, 100), Ray(0, -100)])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--multipath", "much"], "is not valid: expected none, three-ray"),
        (["--multipath", "0:0,1:9999"], "gains between -100 and 100 dB"),
        (["--multipath", "0:0,65:0"], "delays between 0 and 64 samples"),
        (["--address", "udp://x"], "is not an address of a channel"),
        (["--offset", "1e9"], "offset must be at most 0.5 cycles"),
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


def free_address(kind: str, folder: pathlib.Path) -> str:
    if kind == "ipc":
        return f"ipc://{folder}/air"
    # Loopback has an address for each process, so that tests side by side never
    # take each other's ports.
    number = os.getpid() % (1 << 22) + (1 << 22)
    host = f"127.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    # Four ports in a row, for two radios.
    for first in range(20_000, 60_000, 4):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + 4):
                stack.enter_context(socket.create_server((host, port)))
            return f"tcp://{host}:{first}"
    pytest.fail("no ports are free")


@contextlib.contextmanager
def running(address: str) -> Iterator[Air]:
    """Carry samples of two radios in a thread."""
    ways = [Impairments(), Impairments()]
    with Air(address, ways, noise_power=1, sample_rate=1e5, seed=1) as air:
        over = threading.Event()
        thread = threading.Thread(target=air.run, args=[lambda: not over.is_set()])
        thread.start()
        try:
            yield air
        finally:
            over.set()
            thread.join()


def hears(pull: zmq.Socket[bytes], timeout_ms: int = 5000) -> bool:
    return bool(pull.poll(timeout_ms)) and len(pull.recv()) > 0


def leave(pull: zmq.Socket[bytes]) -> None:
    pull.close(0)


@pytest.mark.parametrize("kind", ["ipc", "tcp"])
def test_a_radio_has_one_listener(kind: str, tmp_path: pathlib.Path) -> None:
    address = free_address(kind, tmp_path)
    place = Endpoints.of(address, 0).receive
    with running(address) as air, zmq.Context() as context:
        assert not is_listened_at(place)
        first = context.socket(zmq.PULL)
        first.connect(place)
        assert hears(first)
        assert is_listened_at(place)
        assert air.statistics.turned_away == [1, 0]
        assert not is_listened_at(Endpoints.of(address, 1).receive)
        # A program of another kind is turned away, too, and takes nothing.
        second = context.socket(zmq.PULL)
        second.connect(place)
        while air.statistics.turned_away[0] < 2:
            assert hears(first)
        assert not second.poll(0)
        leave(second)
        leave(first)
        third = context.socket(zmq.PULL)
        third.connect(place)
        assert hears(third)
        leave(third)


def test_connections_that_say_nothing_sensible_free_no_place(
    tmp_path: pathlib.Path,
) -> None:
    address = f"ipc://{tmp_path}/air"
    place = Endpoints.of(address, 0).receive
    with running(address), zmq.Context() as context:
        first = context.socket(zmq.PULL)
        first.connect(place)
        assert hears(first)
        for words in (b"", b"GET / HTTP/1.0\r\n\r\n" * 9):
            with socket.socket(socket.AF_UNIX) as visitor:
                visitor.connect(place.removeprefix("ipc://"))
                visitor.sendall(words)
            assert hears(first)
            assert is_listened_at(place)
        leave(first)


def test_nobody_is_turned_away_where_there_is_no_channel(
    tmp_path: pathlib.Path,
) -> None:
    for kind in ("ipc", "tcp"):
        address = free_address(kind, tmp_path)
        assert not is_listened_at(Endpoints.of(address, 0).receive)


@pytest.mark.parametrize("kind", ["ipc", "tcp"])
def test_an_address_has_one_channel(kind: str, tmp_path: pathlib.Path) -> None:
    address = free_address(kind, tmp_path)
    place = Endpoints.of(address, 0).receive
    with zmq.Context() as context:
        with running(address):
            for _ in range(2):
                with pytest.raises(OSError, match="another channel uses this address"):
                    Air(address, [Impairments()], noise_power=1, sample_rate=1e5)
            pull = context.socket(zmq.PULL)
            pull.connect(place)
            assert hears(pull), "the second channel took the first one's place"
            leave(pull)
        with running(address):
            pull = context.socket(zmq.PULL)
            pull.connect(place)
            assert hears(pull)
            leave(pull)
    assert not list(tmp_path.glob("*.lock"))


def test_a_radio_has_one_sender(tmp_path: pathlib.Path) -> None:
    radio = Radio.parse(f"zmq:ipc://{tmp_path}/air")
    first = sink(radio, Tuning(1e6), 0)
    with pytest.raises(RadioError, match="another program sends as this radio"):
        sink(radio, Tuning(1e6), 0)
    other = sink(radio, Tuning(1e6), 1)
    for each in (first, other):
        each.stop()


def forward(
    source: socket.socket, target: socket.socket, go_on: threading.Event | None
) -> None:
    """Pass bytes on; after the first ones, which ZeroMQ greets with, wait."""
    passed = 0
    while data := source.recv(1 << 16):
        if go_on is not None and passed > 1000:
            go_on.wait()
        target.sendall(data)
        passed += len(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def delayed(sender: str, folder: pathlib.Path) -> Iterator[tuple[str, threading.Event]]:
    """Return where a receiver finds a sender, behind a connection that waits."""
    go_on = threading.Event()
    with socket.socket(socket.AF_UNIX) as server, contextlib.ExitStack() as stack:
        server.bind(str(folder / "delayed"))
        server.listen()

        def serve() -> None:
            receiver = stack.enter_context(server.accept()[0])
            ours = stack.enter_context(socket.socket(socket.AF_UNIX))
            ours.connect(sender.removeprefix("ipc://"))
            back = threading.Thread(target=forward, args=(receiver, ours, None))
            back.start()
            forward(ours, receiver, go_on)
            back.join()

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"ipc://{folder}/delayed", go_on
        go_on.set()
        thread.join()


def test_a_slow_channel_gets_the_end_of_what_is_sent(tmp_path: pathlib.Path) -> None:
    count = 500_000
    radio = sink(Radio.parse(f"zmq:ipc://{tmp_path}/air"), Tuning(1e6), 0)
    flow = gr.top_block()
    flow.connect(blocks.vector_source_c([1] * count), radio)
    with (
        delayed(f"ipc://{tmp_path}/air.0.tx", tmp_path) as (place, go_on),
        zmq.Context() as context,
    ):
        pull = context.socket(zmq.PULL)
        pull.connect(place)
        flow.start()
        while radio.nitems_read(0) < count:
            time.sleep(0.01)
        # Nearly nothing has arrived yet, and the flowgraph ends.
        ending = threading.Thread(target=flow.wait)
        ending.start()
        go_on.set()
        received = 0
        while received < count and pull.poll(10_000):
            received += len(pull.recv()) // 8
        ending.join()
        pull.close(0)
    assert received == count


def test_a_burst_is_one_message(tmp_path: pathlib.Path) -> None:
    # Two bursts that are longer than the buffers of the flowgraph, and what is
    # around them.
    lengths, starts = [70_000, 30_000], [500, 71_000]
    samples = np.arange(102_000).astype(np.complex64)
    tags = [
        gr.tag_utils.python_to_tag(
            (start, pmt.intern(LENGTH_TAG), pmt.from_long(length))
        )
        for start, length in zip(starts, lengths, strict=True)
    ]
    radio = sink(Radio.parse(f"zmq:ipc://{tmp_path}/air"), Tuning(1e6), 0)
    flow = gr.top_block()
    flow.connect(blocks.vector_source_c(samples.tolist(), tags=tags), radio)
    with zmq.Context() as context:
        pull = context.socket(zmq.PULL)
        pull.connect(f"ipc://{tmp_path}/air.0.tx")
        # In pieces, as the scheduler of a busy flowgraph cuts them.
        flow.run(4096)
        messages: list[Samples] = []
        while sum(len(message) for message in messages) < len(samples) and pull.poll(
            5000
        ):
            messages.append(np.frombuffer(pull.recv(), np.complex64))
        pull.close(0)
    np.testing.assert_array_equal(np.concatenate(messages), samples)
    whole = {int(message[0].real): len(message) for message in messages}
    assert [whole.get(start) for start in starts] == lengths


@pytest.mark.slow
def test_commands_refuse_a_place_that_is_taken(tmp_path: pathlib.Path) -> None:
    address = f"ipc://{tmp_path}/air"
    options = ("--address", address, "--rate", "100e3")
    listen = ("phy", "eavesdrop", "--radio", f"zmq:{address}", "--number", "1")
    with Running(tmp_path, "channel", *options) as channel:
        while not (tmp_path / "air.1.rx").exists():
            assert channel.poll() is None
        assert_misuse(
            samara("channel", *options, folder=tmp_path),
            "another channel uses this address",
        )
        with Running(tmp_path, *listen, "--rate", "100e3") as first:
            assert "listens" in first.next_message()
            done = samara(*listen, "--rate", "100e3", "--timeout", "9", folder=tmp_path)
            assert_misuse(done, "air.1.rx has a listener already")
            first.terminate()
            assert first.ended()[1] == b""
        channel.terminate()
        assert b"radio 1 has a listener already" in channel.ended()[1]


def starts_of(air: Air, sockets: list[zmq.Socket[bytes]], count: int) -> list[int]:
    """Let radios send at once, and return where each begins in a portion."""
    for push in sockets:
        push.send(np.ones(50, np.complex64))
    heard: list[list[Samples]] = [[], []]
    radios = air._radios  # noqa: SLF001 - where portions are cut
    while any(not np.any(parts) for parts in heard):
        for parts, radio in zip(heard, radios, strict=True):
            parts.append(radio.take(count))
    for parts, radio in zip(heard, radios, strict=True):
        parts.append(radio.take(count))
    whole = [np.concatenate(parts) for parts in heard]
    assert [np.count_nonzero(samples) for samples in whole] == [50, 50]
    assert all(np.diff(np.flatnonzero(samples)).max() == 1 for samples in whole)
    return [int(np.flatnonzero(samples)[0]) % count for samples in whole]


def test_idle_radios_begin_at_independent_samples(tmp_path: pathlib.Path) -> None:
    address, count = f"ipc://{tmp_path}/air", 1000
    ways = [Impairments(), Impairments()]
    with (
        zmq.Context() as context,
        Air(address, ways, noise_power=1, sample_rate=1e5, seed=3) as air,
    ):
        ends = [Endpoints.of(address, radio) for radio in range(2)]
        pairs = [connect(context, end) for end in ends]
        pushes = [push for push, _ in pairs]
        starts = np.array([starts_of(air, pushes, count) for _ in range(60)])
        for each in sum(pairs, ()):
            each.close(0)
    apart = np.abs(np.diff(starts, axis=1))
    assert np.median(apart) > 100, "they begin together"
    assert abs(np.corrcoef(starts.T)[0, 1]) < 0.5
    # Anywhere in a portion.
    assert starts.min() < 150
    assert starts.max() > 850


class Scripted:
    """The channel's end of an uplink on which these messages wait."""

    def __init__(self, messages: list[bytes]) -> None:
        self.messages = messages

    def recv(self, flags: int) -> bytes:
        assert flags == zmq.NOBLOCK
        if not self.messages:
            raise zmq.Again
        return self.messages.pop(0)

    def close(self, linger: int) -> None:
        assert linger == 0


def test_a_stream_goes_on_without_a_gap(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A real socket may deliver late: that is a gap of the sender's, not the channel's.
    with Air(
        f"ipc://{tmp_path}/air", [Impairments()], noise_power=1, sample_rate=1e5, seed=3
    ) as air:
        (radio,) = air._radios  # noqa: SLF001 - what it hands on
        radio._uplink.close(0)  # noqa: SLF001
        waiting = Scripted([np.ones(500, np.complex64).tobytes()] * 20)
        monkeypatch.setattr(radio, "_uplink", waiting)
        parts = [radio.take(1000) for _ in range(30)]
    sent = np.flatnonzero(np.concatenate(parts))
    assert len(sent) == 10_000
    assert np.diff(sent).max() == 1


def test_rays_are_what_is_said_of_them() -> None:
    taps = impulse_response([Ray(0, 0), Ray(2, -6.0206, np.pi / 2)])
    np.testing.assert_allclose(taps[2] / taps[0], 0.5j, atol=1e-4)
    assert (Ray(0, 0), Ray(1.6, -9, 1.9), Ray(4.3, -14, -2.4)) == THREE_RAYS


def test_a_delay_between_samples_is_that_delay() -> None:
    taps = impulse_response([Ray(1.6, 0)])
    frequencies = np.linspace(-0.35, 0.35, 29)
    times = np.arange(len(taps))
    response = np.exp(-2j * np.pi * np.outer(frequencies, times)) @ taps
    lead = 6
    ideal = np.exp(-2j * np.pi * frequencies * (1.6 + lead))
    np.testing.assert_allclose(response / response[14], ideal / ideal[14], atol=0.02)


def test_the_phase_wanders_by_so_much_a_sample() -> None:
    arrived = Path(Impairments(phase_noise=0.01), 3).process(np.ones(40_000, "c8"))
    steps = np.angle(arrived[1:] / arrived[:-1])
    assert np.std(steps) == pytest.approx(0.01, rel=0.03)
    assert abs(np.mean(steps)) < 2e-4


def test_every_path_has_a_phase_of_its_own() -> None:
    turns = [Path(Impairments(), s).process(np.ones(1, "c8"))[0] for s in range(20)]
    assert np.std(np.angle(turns)) > 1


def test_what_a_listener_does_not_take_is_counted(tmp_path: pathlib.Path) -> None:
    address, count = f"ipc://{tmp_path}/air", 20_000
    ways = [Impairments(), Impairments()]
    with (
        zmq.Context() as context,
        Air(address, ways, noise_power=1, sample_rate=1e6, seed=3) as air,
    ):
        pull = context.socket(zmq.PULL)
        pull.set(zmq.RCVHWM, 1)
        pull.connect(Endpoints.of(address, 0).receive)
        while not pull.poll(10):
            air.step(10)
        # A listener whose handshake is not over misses nothing.
        assert air.statistics.overruns[0] == 0
        for _ in range(300):
            air.step(count)
        missed = air.statistics.overruns
        pull.close(0)
    assert missed[0] > 0
    assert missed[0] % count == 0
    assert missed[1] == 0, "nobody listens there"


def test_a_listener_takes_samples_when_its_handshake_is_over(
    tmp_path: pathlib.Path,
) -> None:
    with zmq.Context() as context:
        push = context.socket(zmq.PUSH)
        pulls = [context.socket(zmq.PULL) for _ in range(2)]
        listener = Listener(push)
        push.bind(f"ipc://{tmp_path}/air")
        pulls[0].connect(f"ipc://{tmp_path}/air")
        while not listener.look():
            listener.admit()
            time.sleep(0.01)
        # What was received was sent after the handshake.
        push.send(b"sample")
        assert pulls[0].recv() == b"sample"
        # Let in once more: this handshake is still to come.
        listener.admit()
        assert listener.look()
        assert not listener.takes_samples()
        pulls[1].connect(f"ipc://{tmp_path}/air")
        while not listener.takes_samples():
            time.sleep(0.01)
        listener.close()
        for socket in (push, *pulls):
            socket.close(0)


def test_what_could_not_be_sent_in_time_is_counted(tmp_path: pathlib.Path) -> None:
    with Air(
        f"ipc://{tmp_path}/air", [Impairments()], noise_power=1, sample_rate=1e4
    ) as air:
        rounds = iter([time.sleep, None])

        def wanted() -> bool:
            wait = next(rounds, None)
            if wait is not None:
                wait(0.7)
            return wait is not None

        air.run(wanted)
        assert air.statistics.late > 5000


class AskedError(Exception):
    pass


def test_the_command_means_what_its_options_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: dict[str, Any] = {}

    def air(address: str, impairments: list[Impairments], **rest: float) -> None:
        asked.update(address=address, impairments=impairments, **rest)
        raise AskedError

    monkeypatch.setattr(airs, "Air", air)
    request = ChannelRequest(
        radios=3,
        rate=2e6,
        ebn0=7.0,
        bits_per_sample=0.5,
        amplitude=0.5,
        offset=1e4,
        clock_ppm=20.0,
        multipath="0:0,3:-10",
        phase_noise=0.001,
        loss=0.1,
        seed=5,
    )
    with pytest.raises(AskedError):
        next(run_channel(request))
    rays = (Ray(0, 0), Ray(3, -10))
    common: dict[str, Any] = {"rays": rays, "phase_noise": 0.001, "loss": 0.1}
    even = Impairments(offset=0.005, clock_ppm=20, **common)
    odd = Impairments(offset=-0.005, clock_ppm=-20, **common)
    assert asked["impairments"] == [even, odd, even]
    assert asked["noise_power"] == pytest.approx(0.25 / 0.5 / 10**0.7)
    assert (asked["sample_rate"], asked["seed"]) == (2e6, 5)
    assert asked["address"] == default_address()
    assert rays_of("three-ray") == THREE_RAYS


def test_an_echo_arrives_after_the_end_of_what_was_sent(
    tmp_path: pathlib.Path,
) -> None:
    address = f"ipc://{tmp_path}/air"
    ways = [Impairments(rays=[Ray(0, 0), Ray(5, 0)])]
    with (
        zmq.Context() as context,
        Air(address, ways, noise_power=1, sample_rate=1e5, seed=3) as air,
    ):
        push, pull = connect(context, Endpoints.of(address, 0))
        # A message of half a sample more is cut, and no reason to end.
        push.send(np.ones(20, np.complex64).tobytes() + b"half")
        (arrival,) = air._arrivals  # noqa: SLF001 - what it hands on
        taken = [arrival.take(1) for _ in range(2000)]
        for each in (push, pull):
            each.close(0)
    heard = [abs(part[0]) for part in taken if part is not None]
    assert np.count_nonzero(np.array(heard) > 0.1) == 25
