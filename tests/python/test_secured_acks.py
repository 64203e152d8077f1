# SPDX-License-Identifier: Apache-2.0
"""Secured acknowledgements of 2015 between nodes: what counts, and what does not."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from quiet_air import Air, abandon, quiet_air

from samara.link.ieee802154 import (
    Address,
    Frame,
    FrameType,
    KeyId,
    Security,
    SecurityHeader,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.ieee802154.frames import acks
from samara.link.ieee802154.frames.acks import BROADCAST_SHORT
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.frames.template import FrameTemplate
from samara.link.ieee802154.keys import received
from samara.link.ieee802154.mac import mac
from samara.link.node import folder as folders
from samara.link.node.node import Lost, Node, Received, Refused

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.node.node import Event

MANY = 29


class Pair:
    """Two nodes on one air; the second receives while the first one waits."""

    def __init__(self, folder: Path, air: Air, **options: object) -> None:
        self.folder, self.air = folder, air
        given = {"frame_version": 2015, "frame_retries": 0, **options}
        folders.make_pair(folder / "a", "ieee802154", given)
        folders.make_second(folder / "b", folder / "a", {})
        self.a, self.b = Node(folder / "a"), Node(folder / "b")
        self.events: list[Event] = []
        self.hears(self.b)

    def hears(self, *nodes: Node) -> None:
        """Let nodes receive whenever another one waits."""

        def receive() -> None:
            for node in nodes:
                self.events += node.receive(0)

        self.air.when_idle = receive

    def again(self, name: str, *, killed: bool = False) -> None:
        """End a node, and start it anew."""
        node = getattr(self, name)
        abandon(node) if killed else node.close()
        setattr(self, name, Node(self.folder / name))

    def answers(self) -> list[bytes]:
        """Return all acknowledgements, without check sequences."""
        frames = [psdu[:-2] for psdu in self.air.sent]
        return [
            each for each in frames if parse(each).type is FrameType.ACKNOWLEDGEMENT
        ]

    def messages(self) -> list[bytes]:
        return [each.message for each in self.events if isinstance(each, Received)]

    def wrong(self) -> list[Event]:
        return [each for each in self.events if isinstance(each, Lost | Refused)]

    def close(self) -> None:
        self.a.close()
        self.b.close()


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return quiet_air(monkeypatch)


def plays(pair: Pair, *frames: bytes) -> None:
    """Let an attacker answer, and nobody else."""

    def play() -> None:
        for frame in frames:
            pair.a.link._mac._radio.waiting.append(frame + fcs_of(frame))  # type: ignore[attr-defined] # noqa: SLF001

    pair.air.when_idle = play


def opened_by_hand(pair: Pair, answer: bytes) -> Frame:
    """Open an acknowledgement of the second node as another program would."""
    settings = pair.b._described.end.settings  # noqa: SLF001
    key = folders.read(pair.folder / "b").end.keys["key"]
    judge = Security(bytes(8), int(settings["pan"], 16), keys=1, devices=1)
    judge.add_key(key, FrameTemplate.of(settings).key_id)
    own = settings["own"]
    judge.add_device(
        bytes.fromhex(own["extended"]),
        pan=int(settings["pan"], 16),
        short=int(own["short"], 16),
    )
    return judge.open(answer).frame


@pytest.mark.parametrize(
    ("level", "mode", "addresses"),
    [(5, 1, "short"), (6, 0, "extended"), (7, 3, "short"), (1, 1, "extended")],
)
def test_frames_of_2015_get_acknowledgements_that_are_secured(
    tmp_path: Path, air: Air, level: int, mode: int, addresses: str
) -> None:
    pair = Pair(tmp_path, air, level=level, key_id_mode=mode, addresses=addresses)
    sent = [pair.a.send(b"reading %d" % number) for number in range(20)]
    assert all(each.frames_missed == 0 for each in sent)
    pair.events += pair.b.receive(0)
    assert pair.messages() == [b"reading %d" % number for number in range(20)]
    assert len(pair.answers()) == 20
    planned = pair.a.link._template.acknowledgements_of(1)  # type: ignore[attr-defined] # noqa: SLF001
    for each, answer in zip(sent, pair.answers(), strict=True):
        (transmission,) = each.transmissions
        assert transmission.carrier.acknowledgement[:-2] == answer
        assert len(transmission.carrier.acknowledgement) == len(planned[0])
        opened = opened_by_hand(pair, answer)
        assert opened.level == level
        assert opened.payload == transmission.counter.to_bytes(4, "little")
    # Acknowledgements take counters, and none of them is taken for lost.
    pair.again("a")
    pair.hears(pair.a)
    pair.b.send(b"to a")
    pair.events += pair.a.receive(0)
    assert pair.messages()[-1] == b"to a"
    assert pair.wrong() == []
    pair.close()


def test_only_a_genuine_acknowledgement_of_this_frame_counts(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    pair.a.send(b"first")
    (before,) = pair.answers()
    # The same sequence number; and what the receiver knew is gone.
    pair.again("a")
    counter = pair.a.link._table.counter(None)  # type: ignore[attr-defined] # noqa: SLF001
    first = parse(air.sent[0][:-2])
    assert first.security is not None
    assert first.security.counter is not None
    assert counter.skip_to(first.security.counter + 256)
    asking = replace(first, security=replace(first.security, level=0))
    changed = before[:-1] + bytes([before[-1] ^ 1])
    other_key = Security(bytes.fromhex("02" * 8), 1, keys=1)
    other_key.add_key(bytes(16), KeyId(1, 1))
    forged = other_key.protect(
        replace(
            parse(before),
            payload=bytes(4),
            encrypted=False,
            mic=b"",
            security=SecurityHeader(5, KeyId(1, 1)),
        )
    )
    unsecured = replace(
        acks.answer_to(replace(asking, security=None)), version=Version.V2015
    )
    plays(
        pair,
        *(before, changed, forged, build(unsecured), bytes([2, 0, before[2]])),
    )
    sent = pair.a.send(b"second")
    (transmission,) = sent.transmissions
    frame = parse(transmission.carrier.encoded[:-2])
    assert frame.sequence == first.sequence == parse(before).sequence
    assert frame.security != first.security
    assert sent.frames_missed == 1
    pair.hears(pair.b)
    assert pair.a.send(b"third").frames_missed == 0
    pair.close()


def test_what_is_not_genuine_or_not_new_is_not_acknowledged(
    tmp_path: Path, air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(tmp_path, air)
    pair.a.send(b"x")
    count = len(pair.answers())
    old = air.sent[0]
    # Later than a repetition of the MAC comes.
    monkeypatch.setattr(mac, "_DUPLICATE_AGE_S", -1.0)
    changed = old[:-3] + bytes([old[-3] ^ 1])
    air.hear_again(old)
    air.hear_again(changed + fcs_of(changed))
    pair.events += pair.b.receive(0)
    assert len(pair.answers()) == count == 1
    assert len(pair.messages()) == 1
    assert len(pair.wrong()) == 2
    pair.close()


def test_no_nonce_has_two_contents_when_nodes_are_killed(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    for number in range(6):
        pair.a.send(b"to b %d" % number)
        if number % 2:
            pair.b.send(b"to a %d" % number)
        pair.again("b", killed=True)
        pair.hears(pair.b)
    to_a = pair.a.link._template.source  # type: ignore[attr-defined] # noqa: SLF001
    frames = {psdu[:-2] for psdu in air.sent}
    of_b = [each for each in map(parse, frames) if each.destination == to_a]
    counters = [each.security.counter for each in of_b if each.security]
    assert sum(each.type is FrameType.ACKNOWLEDGEMENT for each in of_b) >= 6
    assert len(counters) == len(of_b) == len(set(counters))
    assert len(pair.messages()) >= 6
    pair.close()


def test_frames_that_wait_are_handed_on_before_the_acknowledgement_counts(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    # What b says asks for nothing, and arrives while a waits.
    pair.b.close()
    pair.b = Node(tmp_path / "b", {"frame_retries": None})
    pair.b.send(b"from b")
    pair.hears(pair.b)
    assert pair.a.send(b"from a").frames_missed == 0
    pair.events += pair.a.receive(0) + pair.b.receive(0)
    assert sorted(pair.messages()) == [b"from a", b"from b"]
    assert pair.wrong() == []
    pair.close()


def test_a_frame_that_its_senders_acknowledgement_overtook_is_not_lost(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    pair.b.close()
    pair.b = Node(tmp_path / "b", {"frame_retries": None})
    pair.b.send(b"first")
    pair.events += pair.a.receive(0)
    # It waits for the air, or its first attempt was lost.
    air.arrives = lambda _: False
    pair.b.send(b"overtaken")
    late = air.sent[-1]
    air.arrives = lambda _: True
    pair.hears(pair.b)
    assert pair.a.send(b"from a").frames_missed == 0
    pair.events += pair.b.receive(0)
    air.radios[0].waiting.append(late)
    pair.events += pair.a.receive(0)
    pair.b.send(b"last")
    pair.events += pair.a.receive(0)
    assert pair.messages() == [b"first", b"from a", b"overtaken", b"last"]
    assert pair.wrong() == []
    pair.close()


def test_acknowledgements_that_are_too_many_to_keep_are_not_lost(
    tmp_path: Path, air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(received, "_ANSWERS_MAX", 4)
    pair = Pair(tmp_path, air)
    # The first one is lost, and the others have higher counters.
    air.arrives = lambda number: number != 1
    sent = [pair.a.send(b"to b %d" % number) for number in range(10)]
    assert [each.frames_missed for each in sent] == [1] + 9 * [0]
    for number in range(2):
        pair.b.send(b"to a %d" % number)
        pair.events += pair.a.receive(0)
    assert pair.messages()[-2:] == [b"to a 0", b"to a 1"]
    (lost,) = pair.wrong()
    assert isinstance(lost, Lost)
    assert lost.transmissions == 1
    pair.close()


def test_frames_in_front_of_one_that_asks_are_taken_in_order(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    pair.a.close()
    pair.a = Node(tmp_path / "a", {"frame_retries": None})
    expected = [b"reading %d" % number for number in range(MANY)]
    for each in expected[:-2]:
        pair.a.send(each)
    pair.again("a")
    # The receiver finds all of them in front of two that ask.
    for each in expected[-2:]:
        pair.hears(pair.b)
        assert pair.a.send(each).frames_missed == 0
    pair.events += pair.b.receive(0)
    assert pair.messages() == expected
    assert pair.wrong() == []
    assert len(pair.answers()) == 2
    pair.close()


def test_what_waits_is_opened_while_the_other_node_waits_for_its_own(
    tmp_path: Path, air: Air
) -> None:
    pair = Pair(tmp_path, air)
    pair.b.close()
    pair.b = Node(tmp_path / "b", {"frame_retries": None})
    for number in range(5):
        pair.b.send(b"first %d" % number)
    pair.b.close()
    pair.b = Node(tmp_path / "b")

    def ask() -> None:
        # While a waits, what b asks for is acknowledged, and a's own frame, too.
        air.when_idle = lambda: None
        pair.b.send(b"last")
        pair.events += pair.b.receive(0)

    air.when_idle = ask
    pair.a.send(b"from a")
    pair.events += pair.a.receive(0) + pair.b.receive(0)
    wanted = [b"from a", *(b"first %d" % number for number in range(5)), b"last"]
    assert sorted(pair.messages()) == sorted(wanted)
    assert pair.wrong() == []
    pair.close()


def sender(pair: Pair) -> tuple[Security, FrameTemplate]:
    """Return what secures frames as the first node, which has sent none yet."""
    settings = pair.a._described.end.settings  # noqa: SLF001
    template, own = FrameTemplate.of(settings), settings["own"]
    security = Security(
        bytes.fromhex(own["extended"]), int(settings["pan"], 16), keys=1, devices=1
    )
    key = folders.read(pair.folder / "a").end.keys["key"]
    security.add_key(key, template.key_id)
    return security, template


def destinations(pair: Pair) -> list[Address]:
    """Return all ways to address the second node."""
    own, pan = pair.b._described.end.settings["own"], pair.a.link._template.source.pan  # type: ignore[attr-defined] # noqa: SLF001
    long = bytes.fromhex(own["extended"])
    short = int(own["short"], 16)
    return [
        Address(each, *form)
        for each in (pan, BROADCAST_SHORT)
        for form in ((short, None), (None, long))
    ]


def from_pair(source: Address, destination: Address, version: int) -> Address:
    """Return a source for a frame; with two extended addresses 2015 has one PAN."""
    has_one_pan = version == 2015 and source.long and destination.long
    return replace(source, pan=None) if has_one_pan else source


@pytest.mark.parametrize("version", [2006, 2015])
@pytest.mark.parametrize("addresses", ["short", "extended"])
def test_what_is_acknowledged_is_taken_by_either_address(
    tmp_path: Path, air: Air, version: int, addresses: str
) -> None:
    pair = Pair(tmp_path, air, frame_version=version, addresses=addresses)
    security, template = sender(pair)
    ways = destinations(pair)
    for number, destination in enumerate(ways):
        frame = replace(
            template.frame(b"by way %d" % number, number),
            source=from_pair(template.source, destination, version),
            destination=destination,
            pan_compression=False,
            ack_request=True,
        )
        air.hear_again((sent := security.protect(frame)) + fcs_of(sent))
        before = len(pair.answers())
        pair.events += pair.b.receive(0)
        assert len(pair.answers()) == before + 1
        assert acks.belongs_to(pair.answers()[-1], sent)
    assert pair.messages() == [b"by way %d" % number for number in range(len(ways))]
    assert pair.wrong() == []
    pair.close()


@pytest.mark.parametrize("version", [2006, 2015])
def test_a_command_is_neither_acknowledged_nor_dropped_in_silence(
    tmp_path: Path, air: Air, version: int
) -> None:
    pair = Pair(tmp_path, air, frame_version=version)
    security, template = sender(pair)
    for number, destination in enumerate(destinations(pair)):
        frame = replace(
            template.frame(b"\x04" if version == 2015 else b"", number),
            type=FrameType.COMMAND,
            source=from_pair(template.source, destination, version),
            destination=destination,
            pan_compression=False,
            ack_request=True,
            open_payload=b"\x04" if version == 2006 else b"",
        )
        air.hear_again((sent := security.protect(frame)) + fcs_of(sent))
    pair.events += pair.b.receive(0)
    assert pair.answers() == []
    assert [type(each) for each in pair.events] == [Refused] * 4
    pair.close()


def test_tshark_verifies_them(tmp_path: Path, air: Air) -> None:
    pair = Pair(tmp_path, air, level=6)
    pair.a.send(b"21.5 C")
    pair.close()
    settings = folders.read(tmp_path / "b").end.settings
    key = folders.read(tmp_path / "b").end.keys["key"].hex()
    short, pan = settings["own"]["short"], settings["pan"]
    own = settings["own"]["extended"]
    path = tmp_path / "air.pcap"

    def dissected(frame: bytes) -> str:
        with path.open("wb") as file:
            Writer(file, LinkType.WITH_FCS).write_psdu(frame + fcs_of(frame), 0)
        return subprocess.run(
            ["tshark", "-r", path, "-o", f'uat:ieee802154_keys:"{key}","1","No hash"',  # noqa: S607 - Debian's
             "-o", f'uat:802154_addresses:"{short}","{pan}",{own}',
             *("--disable-protocol", "lwm", "--disable-protocol", "6lowpan"),
             "-Tfields", "-ewpan.frame_type", "-ewpan.key_number"],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip

    (answer,) = pair.answers()
    assert dissected(answer) == "0x0002\t0\n"
    assert dissected(answer[:-1] + bytes([answer[-1] ^ 1])) == "0x0002\t\n"
