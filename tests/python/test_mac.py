# SPDX-License-Identifier: Apache-2.0
"""Acknowledgements, retransmissions and duplicates, in a time of their own."""

from __future__ import annotations

import select
import socket
from collections import deque
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from samara.link.ieee802154 import (
    Address,
    Frame,
    FrameType,
    KeyId,
    SecurityHeader,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.air.channel import air_time_s
from samara.link.ieee802154.air.zep_radio import ReceivedFrame
from samara.link.ieee802154.frames import acks
from samara.link.ieee802154.frames.acks import Identity
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.mac.ack_timer import (
    FIRST_WAIT_S,
    WAIT_MAX_S,
    WAIT_MIN_S,
    AckTimer,
)
from samara.link.ieee802154.mac.mac import WAITING_MAX, Mac

if TYPE_CHECKING:
    from samara.link.ieee802154.mac.outgoing import Outgoing

PAN = 0x1234
ME = Identity(PAN, 0x0A0A, bytes.fromhex("0200000000000a0a"))
PEER = Address(PAN, 0x0B0B)
MINE = Address(PAN, 0x0A0A)


class World:
    """A radio whose frames a test hands over, and its clock."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.sent: list[tuple[float, bytes]] = []
        self.coming: deque[tuple[float, bytes]] = deque()
        """When frames arrive, and which; with check sequences."""
        self.answers: deque[tuple[float, bytes] | None] = deque()
        """What arrives so long after the next frame, and the ones after it."""
        self.new_notices: list[str] = []
        self.descriptor = -1

    def clock(self) -> float:
        return self.now_s

    def send(self, frame: bytes) -> tuple[bytes, float]:
        psdu = self.transmit(frame)
        time_s = air_time_s(len(psdu))
        self.now_s += time_s
        return psdu, time_s

    def transmit(self, frame: bytes, first_s: float | None = None) -> bytes:
        del first_s
        self.sent.append((self.now_s, frame))
        if self.answers and (answer := self.answers.popleft()):
            after_s, content = answer
            self.arrives(self.now_s + after_s, content)
        return frame + fcs_of(frame)

    def acknowledge(self, answer: bytes) -> bytes:
        return self.transmit(answer)

    def arrives(self, at_s: float, frame: bytes) -> None:
        self.coming.append((at_s, frame + fcs_of(frame)))

    def is_unanswered(self, frame: bytes) -> bool:
        del frame
        return False

    def receive(self, timeout_s: float) -> list[ReceivedFrame]:
        end_s = self.now_s + timeout_s
        if self.coming and self.coming[0][0] <= end_s:
            at_s, psdu = self.coming.popleft()
            self.now_s = max(self.now_s, at_s)
            return [ReceivedFrame(psdu, 0.0)]
        self.now_s = end_s
        return []

    def notices(self) -> list[str]:
        texts, self.new_notices = self.new_notices, []
        return texts

    def fileno(self) -> int:
        return self.descriptor

    def close(self) -> None:
        pass


def data(
    sequence: int = 7,
    source: Address = MINE,
    destination: Address = PEER,
    *,
    asks: bool = True,
    version: Version = Version.V2006,
    payload: bytes = b"21.5 C",
) -> bytes:
    return build(
        Frame(
            version=version,
            sequence=sequence,
            source=source,
            destination=destination,
            pan_compression=True,
            ack_request=asks,
            payload=payload,
        )
    )


def ack(sequence: int = 7) -> bytes:
    return bytes([2, 0, sequence])


def mac(world: World, retries: int = 3) -> Mac:
    return Mac(world, ME, retries=retries, clock=world.clock)


# Sending


def test_a_frame_that_does_not_ask_is_sent_once() -> None:
    world = World()
    sending = mac(world).send(data(asks=False))
    assert len(world.sent) == 1
    assert (sending.attempts, sending.was_asked) == (1, False)
    assert sending.acknowledgement == b""
    assert sending.time_s == air_time_s(len(sending.psdu))


def test_an_acknowledged_frame_is_sent_once() -> None:
    world = World()
    world.answers.append((0.004, ack()))
    sending = mac(world).send(data())
    assert [frame for _, frame in world.sent] == [data()]
    assert sending.acknowledgement == ack() + fcs_of(ack())
    assert (sending.attempts, sending.was_asked) == (1, True)
    assert sending.time_s == pytest.approx(0.004)


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_frame_is_repeated_byte_for_byte_until_it_is_acknowledged(lost: int) -> None:
    world = World()
    world.answers.extend([None] * lost + [(0.004, ack())])
    sending = mac(world).send(data())
    assert {frame for _, frame in world.sent} == {data()}
    assert sending.attempts == len(world.sent) == lost + 1
    assert sending.acknowledgement


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_frame_is_given_up_after_so_many_retries(retries: int) -> None:
    world = World()
    sending = mac(world, retries).send(data())
    assert sending.attempts == len(world.sent) == retries + 1
    assert sending.acknowledgement == b""
    assert sending.was_asked
    # Each wait is twice as long as the one before, up to a limit.
    times = [at_s for at_s, _ in world.sent] + [world.now_s]
    waits = [b - a - air_time_s(len(data()) + 2) for a, b in pairwise(times)]
    assert waits == pytest.approx(
        [min(FIRST_WAIT_S * 2**n, WAIT_MAX_S) for n in range(retries + 1)]
    )


def test_only_the_acknowledgement_of_this_frame_counts() -> None:
    secured = data(payload=b"x" * 20)
    for other in (ack(8), data(7, PEER, MINE, asks=False), bytes([2, 0]), secured):
        world = World()
        world.answers.extend([(0.001, other)] * 4)
        assert not mac(world).send(data()).acknowledgement
    # A late one, of the attempt before, is as good.
    world = World()
    world.answers.extend([None, None])
    world.arrives(0.15, ack())
    assert mac(world).send(data()).attempts == 2


def test_an_acknowledgement_that_nobody_waits_for_is_nothing() -> None:
    world = World()
    world.arrives(0.0, ack())
    node = mac(world)
    assert node.receive(0.1) == []
    world.answers.append(None)
    assert not node.send(data()).acknowledgement


def test_frames_that_arrive_during_the_wait_are_kept_and_acknowledged() -> None:
    world = World()
    node = mac(world)
    theirs = data(99, PEER, MINE)
    world.answers.append((0.001, theirs))
    # The acknowledgement of theirs is sent, too; ours comes after it.
    world.answers.append((0.001, ack()))
    sending = node.send(data())
    assert sending.attempts == 1
    assert [frame for _, frame in world.sent] == [data(), ack(99)]
    (taken,) = node.receive(0)
    assert taken.heard.frame == theirs
    assert taken.acknowledgement == ack(99) + fcs_of(ack(99))
    assert node.receive(0) == []


def test_frames_that_were_taken_during_a_wait_are_told_by_the_descriptor() -> None:
    world = World()
    ours, theirs = socket.socketpair()
    world.descriptor = ours.fileno()
    node = mac(world, 0)

    def is_readable() -> bool:
        return bool(select.select([node.fileno()], [], [], 0)[0])

    assert not is_readable()
    world.answers.extend([(0.001, data(99, PEER, MINE)), (0.001, ack())])
    node.send(data())
    assert is_readable()
    assert len(node.receive(0)) == 1
    assert not is_readable()
    theirs.send(b"x")
    assert is_readable()
    node.close()
    ours.close()
    theirs.close()


def test_notices_during_the_wait_are_kept() -> None:
    world = World()
    world.new_notices = ["the medium is away"]
    node = mac(world, 0)
    node.send(data())
    assert node.notices() == ["the medium is away"]
    assert node.notices() == []


# Two frames, of which the second is made while the first one is on the air


def started(node: Mac, sequence: int = 7) -> Outgoing:
    outgoing = node.prepared(data(sequence))
    node.start(outgoing)
    return outgoing


def test_a_frame_that_was_started_is_on_the_air_and_is_finished_later() -> None:
    world = World()
    node = mac(world)
    world.answers.append((0.004, ack()))
    outgoing = started(node)
    assert world.sent == [(0.0, data())]
    # The node does something else.
    world.now_s = 0.003
    sending = node.finish(outgoing)
    assert len(world.sent) == 1
    assert sending.acknowledgement == ack() + fcs_of(ack())
    assert (sending.attempts, sending.was_asked) == (1, True)
    assert sending.time_s == pytest.approx(0.004)


def test_a_frame_that_was_started_is_repeated_byte_for_byte() -> None:
    world = World()
    node = mac(world)
    world.answers.extend([None, None, (0.004, ack())])
    sending = node.finish(started(node))
    assert [frame for _, frame in world.sent] == [data()] * 3
    assert sending.attempts == 3
    assert sending.acknowledgement


def test_an_acknowledgement_counts_that_came_while_nobody_waited() -> None:
    world = World()
    node = mac(world)
    world.answers.append((0.004, ack()))
    outgoing = started(node)
    # Much later than it would be waited for.
    world.now_s = 10.0
    assert node.finish(outgoing).attempts == 1
    assert len(world.sent) == 1


def test_an_acknowledgement_counts_that_is_received_with_other_frames() -> None:
    world = World()
    node = mac(world)
    theirs = data(99, PEER, MINE)
    outgoing = started(node)
    world.arrives(0.004, ack())
    world.arrives(0.005, theirs)
    assert node.receive(0.01) == []
    (taken,) = node.receive(0.01)
    assert taken.heard.frame == theirs
    world.now_s = 10.0
    sending = node.finish(outgoing)
    assert sending.acknowledgement == ack() + fcs_of(ack())
    # Until it was there, not until somebody asked.
    assert sending.time_s == pytest.approx(0.004)
    assert [frame for _, frame in world.sent] == [data(), ack(99)]


@pytest.mark.parametrize("asks", [False, True])
def test_what_is_sent_meanwhile_waits_for_the_frame_that_was_started(
    *, asks: bool
) -> None:
    world = World()
    node = mac(world)
    world.answers.extend([None, (0.004, ack()), (0.004, ack(8))])
    outgoing = started(node)
    other = node.send(data(8, asks=asks))
    assert [frame for _, frame in world.sent] == [
        data(),
        data(),
        data(8, asks=asks),
    ]
    assert other.attempts == 1
    assert bool(other.acknowledgement) == asks
    sending = node.finish(outgoing)
    assert sending.attempts == 2
    assert sending.acknowledgement
    assert len(world.sent) == 3


def test_a_second_frame_is_started_when_the_first_one_is_settled() -> None:
    world = World()
    node = mac(world, 1)
    world.answers.extend([None, None, (0.004, ack(8))])
    first, second = started(node), started(node, 8)
    assert [frame for _, frame in world.sent] == [data(), data(), data(8)]
    # The answer to the second one is there when the first one is asked about.
    world.now_s += 1
    assert node.finish(first).acknowledgement == b""
    assert node.finish(second).acknowledgement
    # And what was given up is not sent again.
    assert len(world.sent) == 3


# Receiving


@pytest.mark.parametrize(
    ("destination", "asks", "answered"),
    [
        (MINE, True, True),
        (Address(PAN, long=ME.extended), True, True),
        (Address(0xFFFF, 0x0A0A), True, True),
        (MINE, False, False),
        (PEER, True, False),
        (Address(PAN, 0xFFFF), True, False),
        (Address(PAN ^ 1, 0x0A0A), True, False),
        (Address(PAN, long=bytes(8)), True, False),
    ],
)
def test_frames_for_this_node_that_ask_are_acknowledged(
    destination: Address, *, asks: bool, answered: bool
) -> None:
    world = World()
    theirs = build(
        Frame(
            version=Version.V2006,
            sequence=200,
            source=Address(PAN, 0x0B0B),
            destination=destination,
            pan_compression=destination.pan == PAN,
            ack_request=asks,
            payload=b"x",
        )
    )
    world.arrives(0.0, theirs)
    (taken,) = mac(world).receive(0)
    assert taken.heard.frame == theirs
    assert [frame for _, frame in world.sent] == ([ack(200)] if answered else [])
    assert bool(taken.acknowledgement) == answered


def test_acknowledgements_are_never_acknowledged() -> None:
    world = World()
    frame = replace(
        parse(data(1, PEER, MINE, version=Version.V2015)),
        type=FrameType.ACKNOWLEDGEMENT,
    )
    assert frame.ack_request
    world.arrives(0.0, build(frame))
    assert mac(world).receive(0) == []
    assert world.sent == []


def test_an_enhanced_acknowledgement_answers_a_frame_of_2015() -> None:
    world = World()
    theirs = data(55, PEER, MINE, version=Version.V2015)
    world.arrives(0.0, theirs)
    mac(world).receive(0)
    ((_, answer),) = world.sent
    read = parse(answer)
    assert (read.type, read.version) == (FrameType.ACKNOWLEDGEMENT, Version.V2015)
    assert (read.sequence, read.destination) == (55, PEER)
    assert read.security is None
    # And it is what the other end waits for.
    other = World()
    other.answers.append((0.001, answer))
    sender = Mac(other, Identity(PAN, 0x0B0B, bytes(8)), retries=0, clock=other.clock)
    assert sender.send(theirs).acknowledgement


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("sequence", [9, None])
@pytest.mark.parametrize(
    "source",
    [
        Address(),
        Address(short=0x0B0B),
        Address(long=bytes(8)),
        Address(PAN, 0x0B0B),
        Address(PAN ^ 1, 0x0B0B),
        Address(PAN, long=bytes(8)),
    ],
)
@pytest.mark.parametrize("pan", [None, PAN])
@pytest.mark.parametrize("is_long", [False, True])
def test_every_frame_of_2015_that_asks_can_be_acknowledged(
    source: Address,
    sequence: int | None,
    pan: int | None,
    *,
    compressed: bool,
    is_long: bool,
) -> None:
    long, short = (ME.extended, None) if is_long else (None, ME.short)
    frame = Frame(
        sequence=sequence,
        source=source,
        destination=Address(pan, short, long),
        pan_compression=compressed,
        ack_request=True,
        payload=b"x",
    )
    try:
        theirs = build(frame)
    except ValueError:
        # There is no such frame.
        return
    world = World()
    world.arrives(0.0, theirs)
    assert len(mac(world).receive(0)) == 1
    ((_, answer),) = world.sent
    assert acks.belongs_to(answer, theirs)


def test_a_secured_frame_of_2015_gets_no_acknowledgement_without_security() -> None:
    world = World()
    frame = replace(
        parse(data(5, PEER, MINE, version=Version.V2015)),
        security=SecurityHeader(5, KeyId(1, 1)),
        mic=bytes(4),
        encrypted=True,
    )
    world.arrives(0.0, build(frame))
    (taken,) = mac(world).receive(0)
    assert world.sent == []
    assert taken.acknowledgement == b""


def test_a_retransmission_is_acknowledged_and_not_handed_on() -> None:
    world = World()
    node = mac(world)
    for _ in range(3):
        world.arrives(world.now_s, data(1, PEER, MINE))
    assert [len(node.receive(0)) for _ in range(3)] == [1, 0, 0]
    assert [frame for _, frame in world.sent] == [ack(1)] * 3
    assert node.duplicates == 2


def test_a_retransmission_that_was_overtaken_is_recognised() -> None:
    world = World()
    node = mac(world)
    numbers = (1, 2, 3, 4, 1, 5, 1)
    counts = []
    for number in numbers:
        world.arrives(world.now_s, data(number, PEER, MINE))
        counts.append(len(node.receive(0)))
    # Four are remembered; 1 is then as a new one: its counter tells that it is not.
    assert counts == [1, 1, 1, 1, 0, 1, 1]
    assert len(world.sent) == len(numbers)


def test_what_only_looks_like_a_retransmission_is_handed_on() -> None:
    world = World()
    node = mac(world)
    # The same number and other content; another sender; the same much later; and
    # frames that do not ask are never retransmitted by a MAC.
    for at_s, frame in (
        (0.0, data(1, PEER, MINE)),
        (0.1, data(1, PEER, MINE, payload=b"21.6 C")),
        (0.2, data(1, Address(PAN, 0x0C0C), MINE, payload=b"21.6 C")),
        (9.0, data(1, PEER, MINE, payload=b"21.6 C")),
        (9.1, data(2, PEER, MINE, asks=False)),
        (9.2, data(2, PEER, MINE, asks=False)),
    ):
        world.arrives(at_s, frame)
        assert len(node.receive(10)) == 1
    assert node.duplicates == 0


def test_a_frame_that_finds_no_room_is_not_acknowledged() -> None:
    world = World()
    node = mac(world, 0)
    for number in range(WAITING_MAX + 5):
        world.arrives(
            0.0, data(number & 0xFF, PEER, MINE, payload=bytes([number >> 8]))
        )
    node.send(data())
    assert len(world.sent) == 1 + WAITING_MAX
    assert node.overflowed == 5
    assert len(node.receive(0)) == WAITING_MAX


def test_senders_and_neighbours_are_remembered_in_bounded_tables() -> None:
    world = World()
    node = mac(world, 0)
    for number in range(200):
        world.arrives(world.now_s, data(1, Address(PAN, number + 1), MINE))
        node.receive(0)
        node.send(data(destination=Address(PAN, number + 1)))
    assert len(node._latest) == len(node._timers) == 64  # noqa: SLF001


def test_a_frame_that_cannot_be_read_is_handed_on() -> None:
    world = World()
    world.arrives(0.0, b"\xff\xff")
    assert len(mac(world).receive(0)) == 1


# How long to wait


def test_the_wait_follows_the_answers() -> None:
    timer = AckTimer()
    assert timer.wait_s == FIRST_WAIT_S
    for _ in range(100):
        timer.answered(0.002)
    assert timer.wait_s == pytest.approx(0.002 + WAIT_MIN_S)
    for _ in range(20):
        timer.answered(0.1)
        timer.answered(0.002)
    assert 0.1 < timer.wait_s <= WAIT_MAX_S
    timer.answered(30)
    assert timer.wait_s == WAIT_MAX_S


def test_the_wait_is_that_of_rfc_6298_by_hand() -> None:
    """Section 2.3: an eighth of each answer's time, a quarter of its deviation."""
    timer = AckTimer()
    timer.answered(0.04)
    assert timer.wait_s == pytest.approx(0.04 + 4 * 0.02)
    timer.answered(0.08)
    assert timer.wait_s == pytest.approx(0.045 + 4 * 0.025)
    timer.answered(0.045)
    assert timer.wait_s == pytest.approx(0.045 + 4 * 0.01875)


def test_an_answer_to_a_repeated_frame_says_nothing_of_its_time() -> None:
    world = World()
    node = mac(world)
    world.answers.extend([None, (0.05, ack())])
    node.send(data())
    world.answers.append(None)
    at_s = world.now_s
    node.send(data(8))
    wait_s = world.sent[3][0] - at_s - air_time_s(len(data()) + 2)
    assert wait_s == pytest.approx(FIRST_WAIT_S)
