# SPDX-License-Identifier: Apache-2.0
"""Captures: what is kept to the byte, and who gets a place."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from capture_cases import (
    KEY_ID,
    KEYS,
    WRONG_FCS,
    address,
    converted,
    outcomes_of,
    pcap,
    secured,
    tap,
)
from frame_cases import PAN, A, B

from samara.link.ieee802154 import (
    Address,
    Frame,
    FrameError,
    SecurityHeader,
    TableError,
    Version,
    build,
)
from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.pcap import (
    LinkType,
    PcapError,
    Reader,
    Writer,
)
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.frames.tools import FrameDevice, Opener

if TYPE_CHECKING:
    from collections.abc import Callable

# ---- who gets a place -------------------------------------------------------


def forged(number: int) -> bytes:
    frame = secured(address(number))
    return frame[:-1] + bytes([frame[-1] ^ 1])


def test_forged_senders_keep_nobody_out() -> None:
    opener = Opener(KEYS.keys, (), places=4)
    for number in range(300):
        with pytest.raises(FrameError) as refusal:
            opener.open(forged(number))
        assert refusal.value.reason == "authentication"
    for number in range(4):
        assert opener.open(secured(address(number))).payload == b"21.5 C"


def test_forged_senders_of_a_capture_keep_nobody_out() -> None:
    frames = [*(forged(number) for number in range(300)), secured(A), secured(A)]
    results = converted(frames, captures.Opening(KEYS))
    assert [each.number for each in results if not each.refused] == [301]
    assert "seen before" in results[301].refused


def test_short_sources_are_verified_first() -> None:
    """A forged frame that claims a known short address moves no counter."""
    devices = [FrameDevice(A, short=1), FrameDevice(B, short=2)]
    opener = Opener(KEYS.keys, devices, places=1)
    frame = Frame(
        version=Version.V2006,
        destination=Address(PAN, short=9),
        source=Address(PAN, short=1),
        payload=b"a",
    )
    header, key = SecurityHeader(5, KEY_ID, 5), KEYS.keys[0]
    good = frame_tools.protected(frame, header, key, A)
    from_b = replace(frame, source=Address(PAN, short=2))
    other = frame_tools.protected(from_b, header, key, B)
    bad = good[:-1] + bytes([good[-1] ^ 1])
    for _ in range(3):
        with pytest.raises(FrameError, match="not genuine"):
            opener.open(bad)
    assert opener.open(good).payload == b"a"
    with pytest.raises(FrameError) as refusal:
        opener.open(good)
    assert refusal.value.reason == "replay"
    # The table is bounded: it says so, and forgets nobody.
    with pytest.raises(TableError, match="all 1 places"):
        opener.open(other)
    with pytest.raises(FrameError, match="seen before"):
        opener.open(good)


def test_level_4_proves_nobody() -> None:
    opener = Opener(KEYS.keys, (), places=1, encryption_only=True)
    for number in range(5):
        assert opener.open(secured(address(number), level=4)).payload == b"21.5 C"
    assert opener.open(secured(A)).payload == b"21.5 C"
    with pytest.raises(FrameError, match="seen before"):
        opener.open(secured(A))


# ---- what is kept to the byte -----------------------------------------------


def whole_packet(link_type: LinkType, frame: bytes) -> bytes:
    match link_type:
        case LinkType.WITH_FCS:
            return frame + fcs_of(frame)
        case LinkType.WITHOUT_FCS:
            return frame
        case LinkType.TAP:
            return tap(frame + fcs_of(frame))


CHANGES: dict[str, Callable[[], captures.Change]] = {
    "open": lambda: captures.Opening(KEYS),
    "protect": lambda: captures.Protecting(KEYS, 5, 0),
}


@pytest.mark.parametrize("link_type", list(LinkType))
@pytest.mark.parametrize("change", CHANGES)
def test_packets_that_are_cut_short_stay_as_they_are(
    change: str, link_type: LinkType
) -> None:
    frame = secured(A)
    if change == "protect":
        plain = Frame(version=Version.V2006, source=Address(PAN, long=A))
        frame = build(replace(plain, payload=b"21.5 C"))
    whole = whole_packet(link_type, frame)
    packets = [(whole[:size], len(whole)) for size in range(len(whole))]
    content = pcap(link_type, *packets, (whole, len(whole)))
    results, copied = outcomes_of(content, CHANGES[change]())
    assert results.pop().refused == ""
    for size, outcome in enumerate(results):
        assert outcome.refused == (
            f"it is cut short: the capture has only {size} of its {len(whole)} bytes"
        )
    # Up to the last packet, which was changed.
    size = len(pcap(link_type, *packets))
    assert copied[:size] == content[:size]


@pytest.mark.parametrize("link_type", [LinkType.WITH_FCS, LinkType.TAP])
def test_a_wrong_check_sequence_stays_wrong(link_type: LinkType) -> None:
    plain = build(Frame(version=Version.V2006, source=Address(PAN, long=A)))
    packet = whole_packet(link_type, plain)
    packet = packet[:-1] + bytes([packet[-1] ^ 1])
    content = pcap(link_type, (packet, len(packet)))
    results, copied = outcomes_of(content, captures.Protecting(KEYS, 5, 0))
    assert [each.refused for each in results] == [WRONG_FCS]
    assert copied == content


@pytest.mark.parametrize("level", [4, 5])
def test_a_right_mic_makes_up_for_a_wrong_check_sequence(level: int) -> None:
    """Some sniffers write signal strengths there; level 4 has no MIC."""
    packet = secured(A, level=level) + b"\xd0\xeb"
    content = pcap(LinkType.WITH_FCS, (packet, len(packet)))
    opening = captures.Opening(KEYS, encryption_only=True)
    (outcome,), copied = outcomes_of(content, opening)
    if level == 4:
        assert (outcome.refused, copied) == (
            WRONG_FCS,
            content,
        )
        return
    assert outcome.refused == ""
    (captured,) = Reader(io.BytesIO(copied))
    assert captured.frame.endswith(b"21.5 C")
    assert not captured.has_wrong_fcs


# ---- files ------------------------------------------------------------------


class Flushed(io.BytesIO):
    """A file that knows what a reader at its other end has seen."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = b""

    def flush(self) -> None:
        self.seen = self.getvalue()


def test_each_packet_is_passed_on_at_once() -> None:
    file = Flushed()
    writer = Writer(file, LinkType.WITHOUT_FCS)
    assert file.seen == pcap(230)
    for number in range(1, 4):
        writer.write(b"\2\0\1", number * 10**9)
        assert file.seen == pcap(230, *[(b"\2\0\1", 3)] * number)


def test_the_longest_packet_is_read() -> None:
    longest = bytes(65535)
    (captured,) = Reader(io.BytesIO(pcap(230, (longest, 65535))))
    assert captured.packet == longest
    with pytest.raises(PcapError, match="packet 2 has a size of 65536 bytes"):
        list(Reader(io.BytesIO(pcap(230, (b"a", 1), (bytes(65536), 65536)))))


def test_damage_is_reported_by_packet() -> None:
    content = pcap(230, (b"abc", 3), (b"defg", 4), (b"hi", 2))
    for cut, number in ((1, 3), (3, 3), (17, 3), (19, 2), (40, 1)):
        with pytest.raises(PcapError, match=f"ends within packet {number}"):
            list(Reader(io.BytesIO(content[:-cut])))


def test_a_check_sequence_may_be_all() -> None:
    (captured,) = Reader(io.BytesIO(pcap(195, (b"\0\0", 2))))
    assert (captured.frame, captured.has_fcs) == (b"", True)
    with pytest.raises(PcapError, match="packet 2 is shorter"):
        list(Reader(io.BytesIO(pcap(195, (b"\0\0", 2), (b"\0", 1)))))
