# SPDX-License-Identifier: Apache-2.0
"""6LoWPAN: tshark reads what we compress, and we read it back.

The packets differ in everything that is compressed: traffic class, flow label, hop
limit, next header, both address kinds, contexts, multicast, ports of UDP; and in
their length, so that some are one frame and some are many.
"""

from __future__ import annotations

import itertools
import random
import re
import shutil
import struct
import subprocess
from ipaddress import IPv6Address, IPv6Network
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.link.ieee802154 import Address, Frame, FrameType, Version, build
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.net import Context, Hop, PacketError, Reassembly, identifier, payloads

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TSHARK = shutil.which("tshark") or "tshark"
PAN = 0x4321
LONG = bytes.fromhex("acde480000000001"), bytes.fromhex("0212480000000002")
SHORT = bytes.fromhex("1234"), bytes.fromhex("5678")
NETWORKS = (IPv6Network("2001:db8::/64"), IPv6Network("fd00:5a:1:2::/64"))
CONTEXTS = tuple(Context(network) for network in NETWORKS)
PAYLOAD_SIZE = 96


def ones_complement(data: bytes) -> int:
    total: int = sum(
        struct.unpack(f"!{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2))
    )
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def checked(
    source: bytes, destination: bytes, protocol: int, content: bytes, at: int
) -> bytes:
    """Put the checksum into a message of UDP, TCP or ICMPv6."""
    pseudo = source + destination + struct.pack("!II", len(content), protocol)
    checksum = ones_complement(pseudo + content) or 0xFFFF
    return content[:at] + struct.pack("!H", checksum) + content[at + 2 :]


def upper_layers(
    random_: random.Random, size: int
) -> Iterator[tuple[int, bytes, int | None]]:
    """Yield next header, content, and where its checksum belongs."""
    data = random_.randbytes(size)
    for source, destination in (
        (5683, 40000),
        (0xF0B1, 0xF0BF),
        (0xF0B1, 0xF012),
        (80, 0xF0FE),
    ):
        yield 17, struct.pack("!HHHH", source, destination, 8 + size, 0) + data, 6
    yield 58, bytes((128, 0, 0, 0, 0, 1, 0, 2)) + data, 2
    yield 6, struct.pack("!HHIIHHHH", 80, 81, 1, 2, 0x5010, 64, 0, 0) + data, 16
    # Hop-by-hop with a router alert, and UDP behind it, which stays as it is.
    yield 0, bytes((59, 0, 5, 2, 0, 0, 1, 0)) + data, None
    yield 59, data, None


def addresses(link: bytes, *, is_destination: bool) -> Iterator[bytes]:
    own = identifier(link)
    other = bytes.fromhex("0000 00ff fe00 beef"), bytes.fromhex("0102030405060708")
    for prefix in (IPv6Network("fe80::/64"), *NETWORKS, IPv6Network("2003:1::/64")):
        for part in (own, *other):
            yield prefix.network_address.packed[:8] + part
    if is_destination:
        for text in ("ff02::1", "ff05::1:3", "ff05::1:2:3", "ff05:1::9"):
            yield IPv6Address(text).packed
        yield IPv6Address("ff32:40:2001:db8::42").packed
    else:
        yield bytes(16)


def packet_of(
    source: bytes,
    destination: bytes,
    upper: tuple[int, bytes, int | None],
    shape: tuple[int, int, int],
) -> bytes:
    protocol, content, at = upper
    traffic_class, flow, hop_limit = shape
    if at is not None:
        content = checked(source, destination, protocol, content, at)
    first = 6 << 28 | traffic_class << 20 | flow
    return (
        struct.pack("!IHBB", first, len(content), protocol, hop_limit)
        + source
        + destination
        + content
    )


def cases() -> list[tuple[Hop, bytes]]:
    """Return packets that have everything in each of its forms, in random company."""
    random_ = random.Random(6282)  # noqa: S311 - repeatable, not secret
    found = []
    shapes = itertools.cycle(
        itertools.product((0, 0xB8, 0x03, 0xBB), (0, 0x12345), (1, 64, 255, 17))
    )
    for links in itertools.product((LONG[0], SHORT[0]), (LONG[1], SHORT[1])):
        hop = Hop(*links, CONTEXTS)
        sources = list(addresses(links[0], is_destination=False))
        destinations = list(addresses(links[1], is_destination=True))
        for source, destination in itertools.product(sources, destinations):
            size = random_.choice((0, 1, 20, 200, 1000))
            upper = random_.choice(list(upper_layers(random_, size)))
            found.append((hop, packet_of(source, destination, upper, next(shapes))))
    return found


def address_of(link: bytes) -> Address:
    return (
        Address(PAN, short=int.from_bytes(link))
        if len(link) == 2
        else Address(PAN, long=link)
    )


def frames_of(hop: Hop, packet: bytes, tag: int) -> Iterator[bytes]:
    for payload in payloads(packet, hop, tag=tag, payload_size=PAYLOAD_SIZE):
        yield build(
            Frame(
                type=FrameType.DATA,
                version=Version.V2006,
                sequence=tag & 0xFF,
                destination=address_of(hop.destination),
                source=address_of(hop.source),
                pan_compression=True,
                payload=payload,
            )
        )


_BLOCK = re.compile(r"^(.*) \(\d+ bytes\):\n((?:[0-9a-f]{4}  .*\n)+)", re.MULTILINE)


def bytes_of_dump(lines: str) -> bytes:
    """Return the bytes of a hex dump: offset, 16 bytes, the same as text."""
    return b"".join(bytes.fromhex(line[6:54]) for line in lines.splitlines())


def packets_of_tshark(path: Path) -> list[bytes]:
    """Return the IPv6 packets that tshark finds, in the order in which they end."""
    prefixes = [f"6lowpan.context{i}:{network}" for i, network in enumerate(NETWORKS)]
    options = [word for prefix in prefixes for word in ("-o", prefix)]
    answer = subprocess.run(
        [TSHARK, "-r", path, *options, "-Y", "ipv6", "-x"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    # Of each frame: its own bytes, and what tshark made of them.
    return [
        bytes_of_dump(lines)
        for title, lines in _BLOCK.findall(answer.stdout)
        if title in ("Decompressed 6LoWPAN IPHC", "Reassembled 6LoWPAN")
    ]


def test_tshark_reads_every_packet(tmp_path: Path) -> None:
    chosen = cases()
    path = tmp_path / "lowpan.pcap"
    with path.open("wb") as file:
        writer = Writer(file, LinkType.WITH_FCS)
        frames = (
            frame
            for tag, (hop, packet) in enumerate(chosen)
            for frame in frames_of(hop, packet, tag)
        )
        for number, frame in enumerate(frames):
            writer.write_psdu(frame + fcs_of(frame), number * 1_000_000)
    found = packets_of_tshark(path)
    assert len(found) == len(chosen)
    wrong = [
        (str(hop), packet.hex(), read.hex())
        for (hop, packet), read in zip(chosen, found, strict=True)
        if read != packet
    ]
    assert wrong == []


def test_every_packet_comes_back() -> None:
    reassembly = Reassembly()
    for tag, (hop, packet) in enumerate(cases()):
        *first, last = payloads(packet, hop, tag=tag, payload_size=PAYLOAD_SIZE)
        assert [reassembly.receive(payload, hop, now=0) for payload in first] == [
            None
        ] * len(first)
        assert reassembly.receive(last, hop, now=0) == packet
    assert reassembly.incomplete == 0
    assert reassembly.expired == 0


@given(st.lists(st.tuples(st.booleans(), st.binary(max_size=120)), max_size=40))
def test_no_payload_does_harm(heard: list[tuple[bool, bytes]]) -> None:
    reassembly = Reassembly(slots=2, slots_each=1)
    hops = Hop(LONG[0], SHORT[0], CONTEXTS), Hop(SHORT[1], b"\xff\xff", CONTEXTS)
    for now, (which, payload) in enumerate(heard):
        try:
            packet = reassembly.receive(payload, hops[which], now=now)
        except PacketError:
            continue
        assert packet is None or len(packet) == 40 + int.from_bytes(packet[4:6])
    assert reassembly.incomplete <= 2


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (b"", "packet"),
        (bytes(40), "packet"),
        (b"\x60" + bytes(40), "packet"),
        (b"\x60" + bytes(1280), "size"),
    ],
)
def test_what_is_no_packet_is_refused(packet: bytes, reason: str) -> None:
    with pytest.raises(PacketError) as refused:
        payloads(packet, Hop(LONG[0], LONG[1]), tag=0, payload_size=100)
    assert refused.value.reason == reason


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="source address has 2 or 8 bytes, not 3"):
        payloads(bytes(40), Hop(b"abc", SHORT[0]), tag=0, payload_size=100)
    many = CONTEXTS * 9
    with pytest.raises(ValueError, match="at most 16 contexts"):
        payloads(bytes(40), Hop(SHORT[0], SHORT[1], many), tag=0, payload_size=100)
    with pytest.raises(ValueError, match="at least one slot"):
        Reassembly(slots_each=0)
