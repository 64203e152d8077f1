# SPDX-License-Identifier: Apache-2.0
"""BoX-MAC-2 in nodes: in a time of its own, beside the energy model."""

from __future__ import annotations

import random
import statistics
from collections import deque

import pytest

from samara.energy import catalogue, quantity
from samara.energy import mac as closed_forms
from samara.energy.medium_access import Hop
from samara.energy.transceiver import transceiver
from samara.link.ieee802154 import Address, Frame, Version, build, medium_access
from samara.link.ieee802154.air.channel import air_time_s
from samara.link.ieee802154.air.zep_radio import ReceivedFrame
from samara.link.ieee802154.frames.acks import Identity
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.mac.mac import Mac
from samara.link.ieee802154.medium_access.box_mac_2 import BoxMac2, DutyCycledReceiver

WAKE_UP_S = 0.125
TURNAROUND_S = 192e-6
PAN = 0x1234


class Air:
    """Two nodes, of which one sends; the other hears at once, and nobody waits."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.receiver: Mac | None = None
        self.sent: list[tuple[float, bytes]] = []
        self.heard_s: list[float] = []
        """When frames were handed on by the receiver."""
        self.taken: list[float] = []
        """How long the receiver had listened before each."""

    def clock(self) -> float:
        return self.now_s


class Radio:
    """One node's radio."""

    def __init__(self, air: Air, *, is_sender: bool) -> None:
        self.air, self._is_sender = air, is_sender
        self.coming: deque[tuple[float, bytes]] = deque()
        self.other: Radio | None = None

    def acknowledge(self, answer: bytes) -> bytes:
        return self.transmit(answer)

    def transmit(self, frame: bytes, first_s: float | None = None) -> bytes:
        del first_s
        psdu = frame + fcs_of(frame)
        air = self.air
        begin_s = air.now_s
        assert self.other is not None
        if self._is_sender:
            air.sent.append((begin_s, psdu))
            end_s = begin_s + air_time_s(len(psdu))
            self.other.coming.append((end_s, psdu))
            # The receiver's time is now the end of the frame.
            air.now_s = end_s
            assert air.receiver is not None
            for taken in air.receiver.receive(0):
                air.heard_s.append(end_s)
                air.taken.append(taken.listened_s)
            air.now_s = begin_s
        else:
            at_s = begin_s + TURNAROUND_S + air_time_s(len(psdu))
            self.other.coming.append((at_s, psdu))
        return psdu

    def send(self, frame: bytes) -> tuple[bytes, float]:
        raise AssertionError(frame)

    def is_unanswered(self, frame: bytes) -> bool:
        del frame
        return False

    def receive(self, timeout_s: float) -> list[ReceivedFrame]:
        air = self.air
        if self.coming and self.coming[0][0] <= air.now_s + timeout_s:
            at_s, psdu = self.coming.popleft()
            air.now_s = max(air.now_s, at_s)
            return [ReceivedFrame(psdu, 0.0)]
        air.now_s += timeout_s
        return []

    def notices(self) -> list[str]:
        return []

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        pass


def frame(payload_size: int, number: int, destination: int, *, asks: bool) -> bytes:
    return build(
        Frame(
            version=Version.V2006,
            sequence=number & 0xFF,
            source=Address(PAN, 0x0A0A),
            destination=Address(PAN, destination),
            pan_compression=True,
            ack_request=asks,
            payload=number.to_bytes(2, "big") + bytes(payload_size - 2),
        )
    )


def pair(gap_s: float) -> tuple[Air, Mac]:
    """Return the sender, and what the receiver hears."""
    air = Air()
    radios = Radio(air, is_sender=True), Radio(air, is_sender=False)
    radios[0].other, radios[1].other = radios[1], radios[0]
    access = BoxMac2(WAKE_UP_S, gap_s, max(2.5e-3, 2 * gap_s))
    nodes = [
        Mac(
            radio,
            Identity(PAN, short, bytes([short & 0xFF] * 8)),
            retries=0,
            access=access,
            clock=air.clock,
        )
        for radio, short in zip(radios, (0x0A0A, 0x0B0B), strict=True)
    ]
    air.receiver = nodes[1]
    return air, nodes[0]


@pytest.mark.parametrize("payload_size", [20, 100])
def test_means_are_those_of_the_closed_form(payload_size: int) -> None:
    first = frame(payload_size, 0, 0x0B0B, asks=True)
    radio = transceiver(catalogue.radio("at86rf231"), quantity.nominal)
    hop = Hop(radio, len(first) + 2)
    model = closed_forms.mac("box-mac-2", wake_interval_s=WAKE_UP_S)
    gap_s = TURNAROUND_S + air_time_s(5)
    assert hop.gap_s == pytest.approx(gap_s, rel=0.3)
    air, sender = pair(gap_s + 1e-9)
    chance = random.Random(1)  # noqa: S311 - repeatable
    copies, latencies, listened, heard = [], [], [], []
    count = 800
    for number in range(count):
        air.now_s += 1 + chance.random() * 10 * WAKE_UP_S
        start_s = air.now_s
        sending = sender.send(frame(payload_size, number, 0x0B0B, asks=True))
        assert sending.acknowledgement
        copies.append(sending.attempts)
        listened.append(sending.listened_s)
        latencies.append(air.heard_s[-1] - start_s)
        heard.append(air.taken[-1])
    # Each once, however often it was strobed.
    assert len(air.heard_s) == count
    assert len(air.sent) == sum(copies)
    air_s = air_time_s(len(first) + 2)
    period_s = air_s + gap_s
    # Of means over wake-ups that are evenly distributed, four standard errors; and what
    # an interval that is no multiple of the period changes.
    error = 4 * WAKE_UP_S / 12**0.5 / count**0.5
    mean_s = statistics.fmean(latencies)
    expected_s = WAKE_UP_S / 2 + period_s / 2 + air_s
    assert abs(mean_s - expected_s) < error + period_s / 2
    assert float(model.latency_s(hop)) == pytest.approx(expected_s, rel=0.05)
    mean_copies = statistics.fmean(copies)
    expected_copies = WAKE_UP_S / (2 * period_s) + 1.5
    assert abs(mean_copies - expected_copies) < error / period_s + 0.5
    assert float(model.send(hop).copies) == pytest.approx(expected_copies, rel=0.05)
    assert statistics.fmean(listened) == pytest.approx(mean_copies * gap_s, rel=0.05)
    # The receiver listens for half a period on average, before the frame that it hears.
    assert statistics.fmean(heard) < period_s


def test_a_frame_to_all_is_strobed_for_an_interval_and_handed_on_once() -> None:
    gap_s = TURNAROUND_S + air_time_s(5)
    air, sender = pair(gap_s)
    air.now_s = 3.3
    sending = sender.send(frame(50, 1, 0xFFFF, asks=False))
    air_s = air_time_s(len(sending.psdu))
    assert sending.attempts == len(air.sent)
    times = [at_s for at_s, _ in air.sent]
    assert times[-1] - times[0] < WAKE_UP_S + air_s
    assert times[-1] - times[0] > WAKE_UP_S - gap_s
    assert not sending.was_asked
    assert len(air.heard_s) == 1


def test_a_frame_that_nobody_acknowledges_is_given_up_after_an_interval() -> None:
    air, sender = pair(1e-3)
    air.now_s = 2.0
    sending = sender.send(frame(50, 1, 0x0C0C, asks=True))
    assert sending.was_asked
    assert not sending.acknowledgement
    period_s = air_time_s(len(sending.psdu)) + 1e-3
    train_s = WAKE_UP_S + air_time_s(len(sending.psdu))
    assert train_s / period_s <= sending.attempts <= train_s / period_s + 1
    assert sending.time_s == pytest.approx(sending.attempts * period_s)


def test_what_nodes_can_have_is_in_the_energy_model() -> None:
    assert list(medium_access.by_name()) == ["always-listening", "box-mac-2"]
    assert set(medium_access.by_name()) <= set(closed_forms.of_link("ieee802154"))


# When a radio hears


def receiver() -> DutyCycledReceiver:
    return DutyCycledReceiver(BoxMac2(0.125, 5e-3, 7.5e-3), first_s=1.0)


def test_a_radio_is_deaf_between_wake_ups() -> None:
    deaf = receiver()
    # Just after a sample, long after it, and just before the next.
    assert deaf.hears(1.0076, 1.011) is None
    assert deaf.hears(1.060, 1.064) is None
    assert deaf.hears(1.120, 1.1249) is None
    assert deaf.hears(1.2501, 1.254) == pytest.approx(1e-4)


def test_a_radio_that_finds_something_stays_awake_for_the_next_whole_frame() -> None:
    listening = receiver()
    # It is on the air at the wake-up of 1.125.
    assert listening.hears(1.123, 1.127) is None
    assert listening.hears(1.132, 1.136) == pytest.approx(1.132 - 1.125)
    # And for a moment more: frames that follow are heard.
    assert listening.hears(1.141, 1.145) == pytest.approx(5e-3)
    assert listening.hears(1.160, 1.164) is None


def test_a_frame_that_begins_in_the_sample_is_heard() -> None:
    assert receiver().hears(1.1324, 1.137) == pytest.approx(7.4e-3)
    assert receiver().hears(1.1326, 1.137) is None


@pytest.mark.parametrize(
    ("wake_up_s", "gap_s", "sample_s"), [(0.005, 1e-3, 6e-3), (0.1, 8e-3, 7e-3)]
)
def test_a_duty_that_cannot_work_is_refused(
    wake_up_s: float, gap_s: float, sample_s: float
) -> None:
    with pytest.raises(ValueError, match="cannot listen"):
        BoxMac2(wake_up_s, gap_s, sample_s)
