# SPDX-License-Identifier: Apache-2.0
"""Slots in captures: the number of each is a part of its nonce."""

from __future__ import annotations

import io
import struct
from dataclasses import replace

import pytest
from capture_cases import (
    FCS_16,
    KEY_ID,
    KEYS,
    converted,
    outcomes_of,
    pcap,
    secured,
    tap,
)
from frame_cases import PAN, A, B

from samara.errors import MisuseError
from samara.link.ieee802154 import (
    Address,
    Frame,
    FrameError,
    SecurityHeader,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.pcap import (
    Captured,
    LinkType,
    Reader,
)
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.tools import Opener


@pytest.mark.parametrize("first", [0, 1, 500])
def test_each_sender_counts_for_itself(first: int) -> None:
    senders = (A, A, B, A, B)
    packets = []
    for sender in senders:
        plain = Frame(version=Version.V2006, source=Address(PAN, long=sender))
        packet = build(replace(plain, payload=b"21.5 C"))
        packets.append((packet, len(packet)))
    content = pcap(LinkType.WITHOUT_FCS, *packets)
    results, copied = outcomes_of(content, captures.Protecting(KEYS, 5, first))
    assert results == [captures.FrameResult(number) for number in range(1, 6)]
    wanted = [
        secured_alone(sender, first + count)
        for sender, count in zip(senders, (0, 1, 0, 2, 1), strict=True)
    ]
    assert [each.packet for each in Reader(io.BytesIO(copied))] == wanted


def secured_alone(sender: bytes, counter: int) -> bytes:
    """Return data of 2006 without a destination, at level 5."""
    return frame_tools.protected(
        Frame(
            version=Version.V2006,
            source=Address(PAN, long=sender),
            payload=b"21.5 C",
        ),
        SecurityHeader(5, KEY_ID, counter),
        KEYS.keys[0],
        sender,
    )


def test_slots_count_on_from_the_first_packet() -> None:
    def at(first_asn: int | None, *packets: bytes) -> list[int | None]:
        """Return the slots that a change is told."""
        places: list[int | None] = []

        def change(captured: Captured, asn: int | None) -> bytes:
            places.append(asn)
            return captured.packet

        kind = LinkType.TAP
        content = pcap(kind, *((packet, len(packet)) for packet in packets))
        run = captures.convert(
            io.BytesIO(content), io.BytesIO(), change, keep=True, first_asn=first_asn
        )
        assert [outcome.number for outcome in run] == [1, 2, 3]
        return places

    plain = tap(build(Frame(source=Address(PAN, long=A))) + bytes(2))
    own = tap(plain[12:], FCS_16 + struct.pack("<HHQ", 7, 8, 77))
    assert at(10, plain, own, plain) == [10, 77, 12]
    assert at(0, plain, plain, plain) == [0, 1, 2]
    assert at(None, plain, own, plain) == [None, 77, None]


def test_a_slot_is_given_to_a_sender_once() -> None:
    plain = build(
        Frame(
            version=Version.V2015,
            source=Address(PAN, long=A),
            destination=Address(PAN, long=B),
            payload=b"21.5 C",
        )
    )
    packet = Captured(0, plain, len(plain), plain)
    protecting = captures.Protecting(KEYS, 5, None)
    with pytest.raises(MisuseError, match="its absolute slot number is not known"):
        protecting(packet, None)
    protecting(packet, 0)
    protecting(packet, 4)
    for asn in (0, 4):
        with pytest.raises(MisuseError, match="in this slot or a later one"):
            protecting(packet, asn)
    data = protecting(packet, 5)
    assert parse(data).security == SecurityHeader(5, KEY_ID, None, asn_in_nonce=True)
    assert Opener(KEYS.keys, ()).open(data, asn=5).payload == b"21.5 C"


def test_who_names_no_bits_sets_none() -> None:
    header = SecurityHeader(5)
    assert (header.counter, header.asn_in_nonce, header.reserved) == (0, False, 0)
    assert Frame().reserved == 0


def test_the_last_slot_is_protected_and_no_more() -> None:
    frame = Frame(destination=Address(PAN, short=2), source=Address(PAN, short=1))
    header = SecurityHeader(6, KEY_ID, None, asn_in_nonce=True)
    source = frame_tools.source_of(frame, (), slotted=True)
    assert source == bytes.fromhex("ba55ec00 4321 0001")
    assert frame_tools.source_of(frame, (), slotted=False) is None
    for asn in (0, (1 << 40) - 2):
        data = frame_tools.protected(frame, header, KEYS.keys[0], source, asn=asn)
        assert Opener(KEYS.keys, ()).open(data, asn=asn).source.short == 1
    for asn in (-1, (1 << 40) - 1, 1 << 40):
        with pytest.raises(MisuseError, match="0 and 1099511627774"):
            frame_tools.protected(frame, header, KEYS.keys[0], source, asn=asn)
    with pytest.raises(MisuseError, match="0 and 4294967294"):
        frame_tools.protected(
            frame, replace(header, counter=0xFFFFFFFF), KEYS.keys[0], A
        )


def test_level_4_must_be_asked_for() -> None:
    frame = secured(A, level=4)
    with pytest.raises(FrameError) as refusal:
        Opener(KEYS.keys, ()).open(frame)
    assert refusal.value.reason == "level"
    (outcome,) = converted([frame], captures.Opening(KEYS))
    assert "below what is required" in outcome.refused
