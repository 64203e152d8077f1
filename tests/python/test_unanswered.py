# SPDX-License-Identifier: Apache-2.0
"""Nodes of an emulated medium are told which of their frames were lost on the air."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from test_mac import World, ack, data, mac
from test_topology import running

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import air_time_s
from samara.link.ieee802154.air.contention import Contention
from samara.link.ieee802154.air.topology import Topology
from samara.link.ieee802154.air.unanswered import (
    EXPECTED_MAX,
    Expected,
    OnAir,
    after_ack_s,
    after_frame_s,
)
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.ieee802154.air.medium import Medium

A, B, C = "000a", "000b", "000c"
A_LONG, B_LONG = "02000000000000aa", "02000000000000bb"
PATIENCE_S = 60.0


@contextmanager
def medium(tmp_path: Path, links: str) -> Iterator[Medium]:
    """Run a medium; each line of the links is: from, to, loss from there to here."""
    table = tmp_path / "links.csv"
    table.write_text(f"sender,receiver,loss\n{links}\n")
    with running(Topology.read(table)) as found:
        yield found


@contextmanager
def radio(
    at: Medium, short: str, extended: str = "", *, wants_unanswered: bool = True
) -> Iterator[ZepRadio]:
    hello = zep.Hello(
        int(short, 16), bytes.fromhex(extended), wants_unanswered=wants_unanswered
    )
    before = at.statistics.hellos
    made = ZepRadio(f"127.0.0.1:{at.port}", zep.CHANNEL, hello=hello)
    try:
        while at.statistics.hellos == before:
            pass
        yield made
    finally:
        made.close()


def frame(to: str, number: int = 1, source: str = A, *, asks: bool = True) -> bytes:
    """Return a data frame to a short or an extended address."""
    control = 0x8841 | (0x20 if asks else 0) | (0x0400 if len(to) == 16 else 0)
    return (
        control.to_bytes(2, "little")
        + bytes([number])
        + bytes.fromhex("3412")
        + bytes.fromhex(to)[::-1]
        + bytes.fromhex(source)[::-1]
        + b"21.5 C"
    )


def is_reported_unanswered(one: ZepRadio, sent: bytes) -> bool:
    """Wait until a frame is reported as unanswered, or something else has arrived."""
    while not one.is_unanswered(sent):
        if one.receive(PATIENCE_S):
            return False
    return True


def taken(one: ZepRadio, count: int) -> list[bytes]:
    """Wait for so many frames."""
    found: list[bytes] = []
    while len(found) < count:
        found += [each.frame for each in one.receive(PATIENCE_S)]
    return found


# What is sent


def test_a_packet_tells_which_frame() -> None:
    packet = zep.Unanswered(0xFFFF_FFFE)
    assert zep.build(packet) == b"EX\x02\xa5\xff\xff\xff\xfe"
    assert zep.parse(zep.build(packet)) == packet
    for datagram in (b"EX\x02\xa5", b"EX\x02\xa5\x00\x00\x00\x00\x00"):
        with pytest.raises(zep.ZepError):
            zep.parse(datagram)


def test_a_hello_says_whether_its_node_wants_to_be_told() -> None:
    for hello in (
        zep.Hello(0x1234, bytes(range(8)), wants_unanswered=True),
        zep.Hello(0x1234, bytes(range(8))),
        zep.Hello(0x1234, b"", wants_unanswered=True),
    ):
        assert zep.parse(zep.build(hello)) == hello
    # What RIOT sends has zeros there.
    assert zep.Hello() == zep.parse(zep.build(zep.Hello()))


# The medium


@pytest.mark.parametrize("to", [B, B_LONG])
def test_a_sender_is_told_what_its_receiver_missed(tmp_path: Path, to: str) -> None:
    """Two receivers: only what the one that is addressed gets counts."""
    with (
        medium(tmp_path, f"{A},{B},1\n{A},{C},0") as air,
        radio(air, A) as a,
        radio(air, B, B_LONG),
        radio(air, C) as c,
    ):
        lost = frame(to, 1)
        a.transmit(lost)
        assert is_reported_unanswered(a, lost)
        heard = frame(C, 2)
        a.transmit(heard)
        assert taken(c, 2) == [lost, heard]
        # What asks for nothing, and what is for nobody that is known, is not told.
        unasked, stranger = frame(B, 3, asks=False), frame("0123", 4)
        again = frame(B, 5)
        for each in (unasked, stranger, again):
            a.transmit(each)
        assert is_reported_unanswered(a, again)
        for each in (heard, unasked, stranger):
            assert not a.is_unanswered(each)
        # Another attempt is another frame: nothing is known of it yet.
        a.transmit(heard)
        assert not a.is_unanswered(heard)
        assert len(taken(c, 4)) == 4
    # What tells of them is no frame. The medium has ended: it counts what it has sent.
    assert air.statistics.deliveries == 6


def test_a_lost_acknowledgement_is_told_to_whom_it_answers(tmp_path: Path) -> None:
    """The links differ by direction, and two nodes use the same sequence number."""
    links = f"{A},{B},0\n{B},{A},1\n{C},{B},0\n{B},{C},0"
    with (
        medium(tmp_path, links) as air,
        radio(air, A) as a,
        radio(air, B) as b,
        radio(air, C) as c,
    ):
        of_a, of_c = frame(B, 7), frame(B, 7, C)
        a.transmit(of_a)
        assert [each.frame for each in b.receive(PATIENCE_S)] == [of_a]
        # Nothing is lost yet.
        assert not a.is_unanswered(of_a)
        b.transmit(ack(7))
        assert is_reported_unanswered(a, of_a)
        c.transmit(of_c)
        assert [each.frame for each in b.receive(PATIENCE_S)] == [of_c]
        b.transmit(ack(7))
        assert taken(c, 2) == [ack(7), ack(7)]
        assert not c.is_unanswered(of_c)


def test_who_does_not_ask_is_not_told(tmp_path: Path) -> None:
    with (
        medium(tmp_path, f"{A},{B},1\n{C},{B},1\n{C},{A},0") as air,
        radio(air, A, wants_unanswered=False) as a,
        radio(air, B),
        radio(air, C) as c,
    ):
        lost = frame(B)
        a.transmit(lost)
        of_c = frame(B, 2, C)
        c.transmit(of_c)
        assert is_reported_unanswered(c, of_c)
        assert [each.frame for each in a.receive(PATIENCE_S)] == [of_c]
        assert not a.is_unanswered(lost)


def test_what_was_told_is_kept_for_the_last_frames_only(tmp_path: Path) -> None:
    """Sixteen are kept, and the seventeenth drops the first."""
    with (
        medium(tmp_path, f"{A},{B},1") as air,
        radio(air, A) as a,
        radio(air, B),
    ):
        sent = [frame(B, number) for number in range(17)]
        for each in sent:
            a.transmit(each)
            assert is_reported_unanswered(a, each)
        assert [a.is_unanswered(each) for each in sent] == [False] + [True] * 16


def test_of_acknowledgements_that_may_come_the_oldest_are_forgotten() -> None:
    from samara import _core  # noqa: PLC0415 - for this test alone

    expected: Expected[str] = Expected()
    asking = _core.parse_frame(frame(B, 9))
    answer = _core.parse_frame(ack(9))
    for number in range(EXPECTED_MAX + 1):
        expected.arrived(OnAir(b"", "a", number, asking), f"receiver {number}")
    for number, found in (
        (0, None),
        (1, ("a", 1)),
        (EXPECTED_MAX, ("a", EXPECTED_MAX)),
    ):
        answered = expected.answered(OnAir(b"", f"receiver {number}", 0, answer))
        assert answered == found
    # Each is answered once.
    assert expected.answered(OnAir(b"", "receiver 1", 0, answer)) is None


def test_it_is_told_when_a_radio_would_know() -> None:
    """864 µs after the frame; its acknowledgement ends 192 + 352 µs after it."""
    assert after_frame_s(1.0) == pytest.approx(1.000864)
    assert after_ack_s(1.0 + 192e-6 + 352e-6) == pytest.approx(1.000864)


def test_a_frame_that_finds_no_free_channel_is_given_up_once() -> None:
    """Others keep the channel busy for longer than all backoffs together."""
    chance = random.Random(1)  # noqa: S311 - not for secrets
    channel: Contention[str] = Contention(lambda *_: True, chance, csma=True)
    for number in range(20):
        # Each is on the air for 4.256 ms.
        channel.offer(number * 4e-3, f"loud {number}", 26, 127, number, is_ack=True)
    channel.offer(1e-3, "shy", 26, 20, "shy's")
    ended = [each.content for each in channel.advance(1.0)]
    assert ended == list(range(20))
    assert [each.content for each in channel.given_up()] == ["shy's"]
    assert channel.given_up() == []
    assert channel.access_failures == 1


# The node


class LossesReported(World):
    """A world that reports the first attempts of each frame as lost."""

    def __init__(self, lost: int) -> None:
        super().__init__()
        self.lost = lost

    def receive(self, timeout_s: float) -> list:  # type: ignore[type-arg]
        if self.is_unanswered(b""):
            self.now_s += 0.001
            return []
        return super().receive(timeout_s)

    def is_unanswered(self, frame: bytes) -> bool:
        del frame
        return len(self.sent) <= self.lost


@pytest.mark.parametrize("lost", [1, 3])
def test_a_frame_that_is_known_to_be_lost_is_repeated_at_once(lost: int) -> None:
    world = LossesReported(lost)
    world.answers.extend([None] * lost + [(0.004, ack())])
    sending = mac(world).send(data())
    assert sending.attempts == lost + 1
    assert sending.acknowledgement == ack() + fcs_of(ack())
    # A millisecond each, where the clock of the host would have waited a tenth.
    assert sending.time_s == pytest.approx(lost * 0.001 + 0.004)


def test_a_frame_that_is_always_lost_is_given_up_after_the_retries() -> None:
    world = LossesReported(100)
    sending = mac(world, retries=3).send(data())
    assert (sending.attempts, sending.acknowledgement) == (4, b"")
    assert sending.time_s == pytest.approx(0.004)
    assert air_time_s(len(sending.psdu)) < sending.time_s
