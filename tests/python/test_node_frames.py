# SPDX-License-Identifier: Apache-2.0
"""Nodes over 802.15.4 with every form of frame, and what others send them."""

from __future__ import annotations

import itertools
import socket
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from node_numbers import LOST, RECEIVED, counts_in

from samara.link.ieee802154 import Address, frame_ciphers, parse
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.node import folder as folders
from samara.link.node.node import Lost, Node, Received, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.node.node import Event

FORMS = list(itertools.product(range(8), range(4), (2006, 2015), ("short", "extended")))


@pytest.fixture(scope="module")
def medium() -> Iterator[str]:
    """Run a medium without air time; return where it is."""
    over = threading.Event()
    with Medium("127.0.0.1", 0, Conditions(paced=False)) as running:
        thread = threading.Thread(target=running.run, args=(over.is_set,))
        thread.start()
        yield f"127.0.0.1:{running.port}"
        over.set()
        thread.join()


def make(folder: Path, medium: str, **options: object) -> None:
    folders.make_pair(
        folder / "a",
        "ieee802154",
        {"medium": medium, **options},
        allow_unauthenticated=True,
    )
    folders.make_second(folder / "b", folder / "a", {})


def both(folder: Path) -> tuple[Node, Node]:
    where = {"paced": False}
    return Node(folder / "a", where), Node(folder / "b", where)


def next_events(node: Node) -> list[Event]:
    events: list[Event] = []
    for _ in range(100):
        events += node.receive(0.1)
        if events:
            break
    return events


@pytest.mark.slow
@pytest.mark.parametrize("version", [2006, 2015])
def test_every_form_carries_the_longest_payload(
    version: int, medium: str, tmp_path: Path
) -> None:
    for number, (level, mode, year, addresses) in enumerate(FORMS):
        if year != version:
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        make(
            folder,
            medium,
            level=level,
            key_id_mode=mode,
            frame_version=version,
            addresses=addresses,
        )
        a, b = both(folder)
        with a, b:
            longest = bytes(range(a.link.payload_size))
            for message, frames in ((longest, 1), (longest + b"x", 2)):
                sent = a.send(message)
                assert len(sent.transmissions) == frames
                psdu = sent.transmissions[0].carrier.encoded
                assert len(psdu) == 127
                frame = parse(psdu[:-2])
                assert (frame.level, frame.version) == (
                    level,
                    2 if version == 2015 else 1,
                )
                (event,) = next_events(b)
                assert isinstance(event, Received)
                assert event.message == message
                assert event.receipt.link_bytes == sent.receipt.link_bytes


@pytest.mark.parametrize("cipher", [each.slug for each in frame_ciphers()])
def test_every_cipher(cipher: str, medium: str, tmp_path: Path) -> None:
    make(tmp_path, medium, suite=cipher, level=6)
    a, b = both(tmp_path)
    with a, b:
        a.send(b"21.5 C")
        (event,) = next_events(b)
    assert isinstance(event, Received)
    assert event.message == b"21.5 C"


def test_losses_are_counted_by_their_counters(medium: str, tmp_path: Path) -> None:
    make(tmp_path, medium)
    a, b = both(tmp_path)
    with a, b:
        for _ in range(2):
            a.send(b"arrives")
            (event,) = next_events(b)
            assert isinstance(event, Received)
    with Node(tmp_path / "a", {"paced": False}) as a:
        for _ in range(3):
            a.send(b"is not heard")
    a, b = both(tmp_path)
    with a, b:
        a.send(b"arrives")
        assert [type(each) for each in next_events(b)] == [Lost, Received]
    assert counts_in(tmp_path / "b")[LOST] == 3
    assert counts_in(tmp_path / "b")[RECEIVED] == 3


def test_an_unsecured_level_counts_no_losses(medium: str, tmp_path: Path) -> None:
    make(tmp_path, medium, level=4)
    a, b = both(tmp_path)
    with a, b:
        for _ in range(3):
            a.send(b"arrives")
            assert [type(each) for each in next_events(b)] == [Received]


def test_frames_for_another_pan_or_another_node_are_not_ours(
    medium: str, tmp_path: Path
) -> None:
    make(tmp_path, medium, pan="1234", frame_version=2006)
    a, b = both(tmp_path)
    with a, b:
        good = parse(a.send(b"first").transmissions[0].carrier.encoded[:-2])
        assert [type(each) for each in next_events(b)] == [Received]
        identity = b.link._identity  # type: ignore[attr-defined]  # noqa: SLF001
        assert identity.is_addressed(good)
        other_pan = replace(good.destination, pan=0x1235)
        assert not identity.is_addressed(replace(good, destination=other_pan))
        other = replace(good.destination, short=(good.destination.short or 0) ^ 1)
        assert not identity.is_addressed(replace(good, destination=other))
        for pan, is_here in ((0x1234, True), (0xFFFF, True), (0x1235, False)):
            everybody = replace(good, destination=Address(pan, 0xFFFF))
            assert identity.is_to_all(everybody) == is_here
            assert not identity.is_addressed(everybody)


def test_what_others_send_changes_nothing(medium: str, tmp_path: Path) -> None:
    make(tmp_path, medium)
    a, b = both(tmp_path)
    host, port = medium.split(":")
    with a, b, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.connect((host, int(port)))

        def say(frame: bytes, *, fcs: bytes | None = None, channel: int = 26) -> None:
            psdu = frame + (fcs_of(frame) if fcs is None else fcs)
            stranger.send(zep.build(zep.data_now(psdu, 0, channel)))

        good = a.send(b"first").transmissions[0].carrier.encoded[:-2]
        assert [type(each) for each in next_events(b)] == [Received]
        # Ignored: cut on the way, on another channel, for somebody else, no frame.
        say(good, fcs=b"\0\0")
        say(good, channel=11)
        say(good[:5] + b"\xfe\xca" + good[7:])
        stranger.send(b"EX\x02\x02\0\0\0\0")
        stranger.send(b"nonsense")
        # Refused: seen before; a counter that is far ahead, forged; not secured.
        say(good)
        # Behind the header, whose addresses may be anything.
        counter_at = good.index(b"\x0d", 9) + 1
        say(good[:counter_at] + b"\xf0\xff\xff\xff" + good[counter_at + 4 :])
        say(bytes([good[0] & ~8]) + good[1:9] + b"hello")
        a.send(b"second")
        events: list[Event] = []
        while not any(isinstance(each, Received) for each in events):
            events += next_events(b)
    assert [type(each) for each in events] == [Refused] * 3 + [Received]
