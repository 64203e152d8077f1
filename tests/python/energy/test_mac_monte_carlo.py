# SPDX-License-Identifier: Apache-2.0
"""One hop, strobe by strobe, many times: the means are the closed forms.

The simulation here knows when each strobe begins and when the receiver wakes up,
and nothing of the formulas. Wake-ups are drawn evenly, one from each of as many
equal parts of the interval, so that few draws give a sharp mean.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from samara.energy import mac

from .hops import ACK_S, BYTE_S, GAP_S, TURNAROUND_S, hop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.energy.transceiver import RadioTimes

DRAWS = 4000
INTERVAL_S = 0.25

Times = dict[str, float]
"""Seconds in each state."""


def _evenly(low: float, high: float, seed: int = 1) -> Iterator[float]:
    draw = random.Random(seed)  # noqa: S311 - of no secrets
    return (
        low + (high - low) * (number + draw.random()) / DRAWS for number in range(DRAWS)
    )


class Strobes:
    """A sender that repeats something; what it does, and what others hear of it."""

    def __init__(self, strobe_s: float) -> None:
        self.strobe_s = strobe_s
        self.begins: list[float] = []

    def until(self, wanted: Callable[[], bool]) -> float:
        """Repeat it until that is so; return when the gap after the last one ends."""
        now = 0.0
        while True:
            self.begins.append(now)
            now += self.strobe_s + GAP_S
            if wanted():
                return now

    def next_whole(self, awake_s: float) -> float | None:
        """Return when the next strobe begins for who wakes up then; None for none."""
        return next((begin for begin in self.begins if begin >= awake_s), None)


def _sent_until_heard(strobe_s: float, awake_s: float) -> tuple[Strobes, float]:
    strobes = Strobes(strobe_s)
    return strobes, strobes.until(lambda: strobes.begins[-1] >= awake_s)


def _sent_for_all(strobe_s: float) -> tuple[Strobes, float]:
    strobes = Strobes(strobe_s)
    # The train may end when an interval and a strobe are over, the last gap with it.
    return strobes, strobes.until(lambda: strobes.begins[-1] + GAP_S >= INTERVAL_S)


def _mean(runs: Iterator[Times]) -> Times:
    total: Times = defaultdict(float)
    for run in runs:
        for key, seconds in run.items():
            total[key] += seconds / DRAWS
    return total


def _compare(simulated: Times, closed: RadioTimes, rel: float = 2e-3) -> None:
    for key in ("data_s", "control_s", "listen_s", "receive_s"):
        assert simulated.get(key, 0.0) == pytest.approx(
            getattr(closed, key), rel=rel, abs=1e-9
        ), key


def _train(
    awake_s: float, frame_s: float, *, stops: bool
) -> tuple[Times, Times, float]:
    """Return what sender and receiver do, and when the frame is there."""
    if stops:
        strobes, _ = _sent_until_heard(frame_s, awake_s)
    else:
        strobes, _ = _sent_for_all(frame_s)
    count = len(strobes.begins)
    begin = strobes.next_whole(awake_s)
    if begin is None:
        # It woke up in the last gap's time of the interval, and misses the train.
        assert not stops
        assert INTERVAL_S - awake_s <= GAP_S
        begin = awake_s
    sender = {"data_s": count * frame_s, "listen_s": count * GAP_S}
    receiver = {
        "listen_s": begin - awake_s,
        "receive_s": frame_s,
        "control_s": ACK_S,
    }
    return sender, receiver, begin + frame_s


@pytest.mark.parametrize("frame_bytes", [20, 45, 77, 127])
@pytest.mark.parametrize(("name", "stops"), [("lpl", False), ("box-mac-2", True)])
def test_repeated_frames(name: str, frame_bytes: int, *, stops: bool) -> None:
    access, one = mac.mac(name), hop(frame_bytes)
    frame_s = (6 + frame_bytes) * BYTE_S
    runs = [_train(at, frame_s, stops=stops) for at in _evenly(0, INTERVAL_S)]
    _compare(_mean(sender for sender, _, _ in runs), access.send(one))
    _compare(_mean(receiver for _, receiver, _ in runs), access.receive(one), 0.01)
    latency_s = sum(there for _, _, there in runs) / DRAWS
    assert latency_s == pytest.approx(access.latency_s(one), rel=2e-3)


@pytest.mark.parametrize("frame_bytes", [20, 77, 127])
def test_neighbours_of_a_train_that_ends_early(frame_bytes: int) -> None:
    frame_s = (6 + frame_bytes) * BYTE_S

    def heard(awake_s: float, wakes_s: float) -> Times:
        strobes, end_s = _sent_until_heard(frame_s, awake_s)
        if wakes_s >= end_s:
            return {}
        begin = strobes.next_whole(wakes_s)
        if begin is None:
            # Half a frame, then nothing: it listens until the gap is over.
            return {"listen_s": end_s - wakes_s}
        return {"listen_s": begin - wakes_s, "receive_s": frame_s}

    wakes = list(_evenly(0, INTERVAL_S, seed=2))
    random.Random(3).shuffle(wakes)  # noqa: S311 - of no secrets
    pairs = zip(_evenly(0, INTERVAL_S), wakes, strict=True)
    simulated = _mean(heard(*pair) for pair in pairs)
    _compare(simulated, mac.mac("box-mac-2").overhear(hop(frame_bytes)), 0.03)


@pytest.mark.parametrize("frame_bytes", [20, 127])
def test_preamble(frame_bytes: int) -> None:
    access, one = mac.mac("b-mac"), hop(frame_bytes)
    frame_s = (6 + frame_bytes) * BYTE_S
    received = _mean(
        {"listen_s": INTERVAL_S - at, "receive_s": frame_s, "control_s": ACK_S}
        for at in _evenly(0, INTERVAL_S)
    )
    _compare(received, access.receive(one))
    sent = {"control_s": INTERVAL_S, "data_s": frame_s, "listen_s": GAP_S}
    _compare(sent, access.send(one))


@pytest.mark.parametrize("frame_bytes", [20, 127])
def test_strobes(frame_bytes: int) -> None:
    access, one = mac.mac("x-mac"), hop(frame_bytes)
    strobe_s, frame_s = (6 + 11) * BYTE_S, (6 + frame_bytes) * BYTE_S
    sent, received, there_s = [], [], 0.0
    for awake_s in _evenly(0, INTERVAL_S):
        strobes, end_s = _sent_until_heard(strobe_s, awake_s)
        count = len(strobes.begins)
        sent.append(
            {
                "control_s": count * strobe_s,
                "listen_s": count * GAP_S,
                "data_s": frame_s,
            }
        )
        waited_s = strobes.begins[-1] - awake_s
        received.append(
            {
                "listen_s": waited_s + TURNAROUND_S,
                "control_s": ACK_S,
                "receive_s": strobe_s + frame_s,
            }
        )
        there_s += (end_s + frame_s) / DRAWS
    _compare(_mean(iter(sent)), access.send(one))
    _compare(_mean(iter(received)), access.receive(one), 0.01)
    assert there_s == pytest.approx(access.latency_s(one), rel=2e-3)


@pytest.mark.parametrize("frame_bytes", [20, 127])
def test_in_phase(frame_bytes: int) -> None:
    """The receiver wakes up to half a period before or after the first frame."""
    access, one = mac.mac("contikimac"), hop(frame_bytes)
    frame_s = (6 + frame_bytes) * BYTE_S
    half_s = (frame_s + GAP_S) / 2
    runs = [_train(at, frame_s, stops=True) for at in _evenly(-half_s, half_s)]
    _compare(_mean(sender for sender, _, _ in runs), access.send(one))
    _compare(_mean(receiver for _, receiver, _ in runs), access.receive(one), 0.01)
    wait_s = 0.125 / 2
    there_s = wait_s + sum(there for _, _, there in runs) / DRAWS
    assert there_s == pytest.approx(access.latency_s(one), rel=2e-3)


def test_slots() -> None:
    """A clock that is off by up to half of the time that a receiver waits."""
    access, one = mac.mac("tsch"), hop(50)
    frame_s = 56 * BYTE_S
    received = _mean(
        {"listen_s": 1.1e-3 + late_s, "receive_s": frame_s, "control_s": ACK_S}
        for late_s in _evenly(-1.1e-3, 1.1e-3)
    )
    _compare(received, access.receive(one))
    cells_s = [1.01 - at + 2.12e-3 + frame_s for at in _evenly(0, 1.01)]
    latency_s = sum(cells_s) / DRAWS
    assert latency_s == pytest.approx(access.latency_s(one), rel=1e-3)


def test_questions() -> None:
    """A frame that comes to the parent at any time between two requests."""
    access, one = mac.mac("polling"), hop(50)
    frame_s, request_s = 56 * BYTE_S, 18 * BYTE_S
    there_s = (5.0 - at + request_s + GAP_S + 2e-3 + frame_s for at in _evenly(0, 5.0))
    down_s = access.latency_down_s(one, hop(12))  # type: ignore[attr-defined]
    assert sum(there_s) / DRAWS == pytest.approx(down_s, rel=1e-3)


@pytest.mark.parametrize("count", [1, 11, 12, 13, 24, 25, 60])
@pytest.mark.parametrize(
    ("name", "baud"),
    [("srf", 115_200), ("srf", 9600), ("hc-12", 9600), ("hc-12", 115_200)],
)
@pytest.mark.parametrize("timeout_s", [0.016, 1e-6])
def test_packets(name: str, baud: int, timeout_s: float, count: int) -> None:
    """A modem that is fed byte by byte, and sends one packet after the other.

    An HC-12 at 15 kbit/s is slower than a line of 115,200 bit/s, an SRF faster.
    """
    access = mac.mac("serial-radio", baud=baud, timeout_s=timeout_s)
    one = hop(count, name)
    line_s, air_s = 10 / baud, 0.0
    held, now_s, on_air_until_s, there_s = 0, 0.0, 0.0, 0.0
    for number in range(1, count + 1):
        now_s += line_s
        held += 1
        if held == 12 or number == count:
            packet_s = float((held + 13) * one.radio.byte_s)
            ready_s = now_s + (timeout_s if held < 12 else 0.0)
            on_air_until_s = max(ready_s, on_air_until_s) + packet_s
            air_s += packet_s
            there_s = max(on_air_until_s, there_s) + held * line_s
            held = 0
    assert access.send(one).data_s == pytest.approx(air_s)
    assert access.latency_s(one) == pytest.approx(there_s)
