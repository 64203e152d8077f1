# SPDX-License-Identifier: Apache-2.0
"""Messages that are secured while the one before them is on the air."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from quiet_air import Air, quiet_air

from samara.link.ieee802154 import FrameType, parse
from samara.link.ieee802154.keys.renewing import KEPT_FOR_RENEWAL
from samara.link.node import folder as folders
from samara.link.node.link import BROADCAST, LinkError, NeighbourError
from samara.link.node.node import Lost, Node, Received, Refused
from samara.link.node.quantities import COUNTER_LIMIT
from samara.link.node.state import CounterEndError

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.node.node import Event

MESSAGES = [b"fragment %d" % number for number in range(8)]
IN_TURN: list[tuple[bytes, str | None]] = [(each, None) for each in MESSAGES]


class Pair:
    """Two nodes on one air; the second receives while the first one waits."""

    def __init__(self, folder: Path, air: Air, **options: object) -> None:
        self.air = air
        given = {"frame_retries": 3, **options}
        folders.make_pair(folder / "a", "ieee802154", given, allow_unauthenticated=True)
        folders.make_second(folder / "b", folder / "a", {})
        self.a, self.b = Node(folder / "a"), Node(folder / "b")
        # Not the clock of the machine, on which a wait can be over too early.
        self._now_s = 0.0
        for node in (self.a, self.b):
            link: Any = node.link
            link._mac._clock = self._tick  # noqa: SLF001
        self.events: list[Event] = []
        air.when_idle = self.receive

    def _tick(self) -> float:
        self._now_s += 1e-3
        return self._now_s

    def receive(self) -> None:
        self.events += self.b.receive(0)

    def messages(self) -> list[bytes]:
        return [each.message for each in self.events if isinstance(each, Received)]

    def wrong(self) -> list[Event]:
        return [each for each in self.events if isinstance(each, Lost | Refused)]

    def data(self) -> list[bytes]:
        """Return the data frames that were on the air, in their order."""
        frames = [psdu[:-2] for psdu in self.air.sent]
        return [each for each in frames if parse(each).type is FrameType.DATA]

    def close(self) -> None:
        self.receive()
        self.a.close()
        self.b.close()


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return quiet_air(monkeypatch)


def counters_of(frames: list[bytes]) -> list[int]:
    found = [parse(frame).security for frame in frames]
    return [each.counter for each in found if each and each.counter is not None]


@pytest.mark.parametrize(("level", "version"), [(0, 2006), (5, 2006), (5, 2015)])
def test_the_next_one_is_on_the_air_when_a_step_returns(
    level: int, version: int, tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air, level=level, frame_version=version)
    on_air = [len(pair.data()) for _ in pair.a.send_in_turn(IN_TURN)]
    assert on_air == [2, 3, 4, 5, 6, 7, 8, 8]
    pair.close()
    assert pair.messages() == MESSAGES
    assert pair.wrong() == []
    if level:
        assert counters_of(pair.data()) == list(range(8))


def test_a_frame_is_secured_while_the_one_before_is_on_the_air(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    taken: list[int] = []
    link: Any = pair.a.link
    table = link._table  # noqa: SLF001

    def receive() -> None:
        # What b does before the acknowledgement: a has taken the next counter already.
        taken.append(table.counter(None).next)
        pair.receive()

    air.when_idle = receive
    steps = pair.a.send_in_turn(IN_TURN)
    next(steps)
    assert taken[0] == 2
    assert len(list(steps)) == 7
    pair.close()


@pytest.mark.parametrize("version", [2006, 2015])
def test_frames_that_are_lost_are_repeated_byte_for_byte(
    version: int, tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air, frame_version=version)
    count = 0

    def arrives(_: int) -> bool:
        nonlocal count
        count += 1
        return count % 3 != 0

    air.arrives = arrives
    assert len(list(pair.a.send_in_turn(IN_TURN))) == 8
    air.arrives = lambda _: True
    pair.close()
    assert pair.messages() == MESSAGES
    assert pair.wrong() == []
    frames = pair.data()
    assert len(frames) > 8
    # Each counter has one content, and no frame overtakes another one.
    assert len(set(frames)) == len(set(counters_of(frames))) == 8
    assert counters_of(frames) == sorted(counters_of(frames))


def test_another_message_in_between_goes_out_after_what_is_on_the_air(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    steps = pair.a.send_in_turn(IN_TURN)
    next(steps)
    pair.a.send(b"in between")
    # Whatever is on the air for the first time, nobody hears.
    air.arrives = lambda number: air.sent.count(air.sent[number]) > 1
    list(steps)
    air.arrives = lambda _: True
    pair.close()
    assert pair.messages() == [*MESSAGES[:2], b"in between", *MESSAGES[2:]]
    assert pair.wrong() == []


def test_an_acknowledgement_counts_that_arrives_while_the_node_receives(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    events = []
    for _ in pair.a.send_in_turn(IN_TURN):
        pair.receive()
        events += pair.a.receive(0)
    assert events == []
    pair.close()
    assert pair.messages() == MESSAGES
    # Nothing was repeated.
    assert len(pair.data()) == 8


def test_who_gives_up_in_between_has_sent_the_next_one_too(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    steps = pair.a.send_in_turn(IN_TURN)
    next(steps)
    del steps
    pair.a.send(b"something else")
    for _ in pair.a.send_in_turn([(b"more", None), (b"the last", None)]):
        pass
    pair.close()
    wanted = [*MESSAGES[:2], b"something else", b"more", b"the last"]
    assert pair.messages() == wanted
    assert pair.wrong() == []


def test_what_is_wrong_with_the_next_one_is_said_at_its_turn(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    steps = pair.a.send_in_turn([(b"first", None), (b"second", "nobody")])
    next(steps)
    with pytest.raises(NeighbourError):
        next(steps)
    steps = pair.a.send_in_turn([(b"third", None), (b"all", BROADCAST)])
    next(steps)
    with pytest.raises(NeighbourError):
        next(steps)
    pair.close()
    assert pair.messages() == [b"first", b"third"]


def test_a_medium_that_goes_away_fails_the_message_that_was_not_sent(
    tmp_path: Path, air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(tmp_path, air)
    radio = air.radios[0]
    transmit = radio.transmit

    def fail(frame: bytes, first_s: float | None = None) -> bytes:
        if pair.messages() and radio is air.radios[0]:
            message = "the medium is away"
            raise LinkError(message)
        return transmit(frame, first_s)

    monkeypatch.setattr(radio, "transmit", fail)
    steps = pair.a.send_in_turn(IN_TURN)
    next(steps)
    with pytest.raises(LinkError):
        next(steps)
    monkeypatch.undo()
    for _ in pair.a.send_in_turn(IN_TURN[2:]):
        pass
    pair.close()
    # Two counters have a frame that nobody sent: they are lost, and never used again.
    assert pair.messages() == [MESSAGES[0], *MESSAGES[2:]]
    assert counters_of(pair.data()) == [0, *range(3, 9)]
    assert [type(each) for each in pair.wrong()] == [Lost]


def test_the_last_counters_are_kept_for_new_keys(tmp_path: Path, air: Air) -> None:
    pair = Pair(tmp_path, air, key_id_mode=1)
    link: Any = pair.a.link
    counter = link._table.counter(None)  # noqa: SLF001
    # Two are left for messages.
    counter.next = COUNTER_LIMIT - KEPT_FOR_RENEWAL - 2
    counter.extend(counter.next)
    with pytest.raises(CounterEndError, match="the last values are kept"):
        list(link.send_in_turn(IN_TURN))
    assert pair.messages() == MESSAGES[:2]
    assert counters_of(pair.data())[-1] == COUNTER_LIMIT - KEPT_FOR_RENEWAL - 1
    pair.close()


def test_messages_of_several_frames_go_out_one_after_the_other(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    long = bytes(300)
    assert len(list(pair.a.send_in_turn([(long, None), (b"short", None)]))) == 2
    pair.close()
    assert pair.messages() == [long, b"short"]


def test_frames_that_ask_for_nothing_are_sent_one_at_a_time(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air, frame_retries=None)
    on_air = [len(pair.data()) for _ in pair.a.send_in_turn(IN_TURN)]
    assert on_air == list(range(1, 9))
    pair.close()
    assert pair.messages() == MESSAGES
