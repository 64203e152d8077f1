# SPDX-License-Identifier: Apache-2.0
"""Captures: what is kept to the byte, what a TAP header says, and who gets a place."""

from __future__ import annotations

import io
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from frame_cases import KEY, PAN, A, B
from vectorfile import FOLDER, Record, sections_of

from samara.errors import MisuseError
from samara.link.ieee802154 import (
    Address,
    Frame,
    FrameError,
    KeyId,
    Security,
    SecurityHeader,
    TableError,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.captures import key_file
from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.pcap import (
    Captured,
    LinkType,
    PcapError,
    Reader,
    Writer,
)
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.fcs import fcs_of, is_intact
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey, Opener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KEY_ID = KeyId(1, 1)
KEYS = key_file.Keys((FrameKey(KEY, KEY_ID),), ())
FCS_16 = struct.pack("<HHB3x", 0, 1, 1)


def secured(sender: bytes, counter: int = 0, level: int = 5) -> bytes:
    """Return data of 2006 from an extended address."""
    one = Security(sender)
    one.add_key(KEY, KEY_ID, encryption_only=True)
    one.set_transmit_counter(0, counter)
    return one.protect(
        Frame(
            version=Version.V2006,
            destination=Address(PAN, long=B),
            source=Address(PAN, long=sender),
            security=SecurityHeader(level, KEY_ID),
            payload=b"21.5 C",
        )
    )


def address(number: int) -> bytes:
    return b"\x02" + number.to_bytes(7, "big")


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


def converted(
    frames: Iterable[bytes], change: captures.Change
) -> list[captures.FrameResult]:
    source = io.BytesIO()
    writer = Writer(source, LinkType.WITHOUT_FCS)
    for frame in frames:
        writer.write(frame, 0)
    source.seek(0)
    return list(captures.convert(source, io.BytesIO(), change, keep=True))


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


def pcap(link_type: int, *packets: tuple[bytes, int]) -> bytes:
    """Write a capture by hand: packets, and how long they were."""
    content = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, link_type)
    for number, (data, whole) in enumerate(packets, 1):
        content += struct.pack("<IIII", number, 0, len(data), whole) + data
    return content


def outcomes_of(
    content: bytes, change: captures.Change
) -> tuple[list[captures.FrameResult], bytes]:
    target = io.BytesIO()
    results = list(captures.convert(io.BytesIO(content), target, change, keep=True))
    return results, target.getvalue()


def tap(frame: bytes, fields: bytes = FCS_16) -> bytes:
    return struct.pack("<BBH", 0, 0, 4 + len(fields)) + fields + frame


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


def field(kind: int, value: bytes) -> bytes:
    return struct.pack("<HH", kind, len(value)) + value + bytes(-len(value) % 4)


# ---- pcapng -----------------------------------------------------------------


def block(kind: int, body: bytes) -> bytes:
    body += bytes(-len(body) % 4)
    size = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + size + body + size


def pcapng(size_max: int, *blocks: bytes) -> bytes:
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    return section + block(1, struct.pack("<HHI", 230, 0, size_max)) + b"".join(blocks)


def test_pcapng_tells_what_is_cut_short() -> None:
    frame = secured(A)
    enhanced = struct.pack("<IIIII", 0, 0, 7, 21, len(frame)) + frame[:21]
    simple = struct.pack("<I", len(frame)) + frame[:21]
    whole = struct.pack("<IIIII", 0, 0, 7, len(frame), len(frame)) + frame
    content = pcapng(21, block(6, enhanced), block(3, simple), block(6, whole))
    read = list(Reader(io.BytesIO(content)))
    assert [each.is_cut_short for each in read] == [True, True, False]
    assert [each.packet for each in read] == [frame[:21], frame[:21], frame]
    assert [each.whole_size for each in read] == [len(frame)] * 3
    results, copied = outcomes_of(content, captures.Opening(KEYS))
    assert [bool(each.refused) for each in results] == [True, True, False]
    again = list(Reader(io.BytesIO(copied)))
    assert [(each.packet, each.whole_size) for each in again[:2]] == [
        (frame[:21], len(frame))
    ] * 2


def read_pcapng(options: bytes, *blocks: bytes) -> list[Captured]:
    """Read a section with one interface, of these options, and these blocks."""
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = block(1, struct.pack("<HHI", 230, 0, 0) + options)
    return list(Reader(io.BytesIO(section + interface + b"".join(blocks))))


def packet_block(high: int, low: int, frame: bytes, interface: int = 0) -> bytes:
    fields = struct.pack("<5I", interface, high, low, len(frame), len(frame))
    return block(6, fields + frame)


END_OF_OPTIONS = bytes(4)


@pytest.mark.parametrize(
    ("options", "time_ns"),
    [
        # Without the option, microseconds.
        (b"", 0x1_0000_0007 * 1000),
        (END_OF_OPTIONS, 0x1_0000_0007 * 1000),
        (field(9, b"\x09") + END_OF_OPTIONS, 0x1_0000_0007),
        (field(9, b"\x09"), 0x1_0000_0007),
        (field(9, b"\x03"), 0x1_0000_0007 * 10**6),
        (field(9, b"\x8a"), 0x1_0000_0007 * 10**9 // 1024),
        (field(9, b"\xa0"), (1 << 32 | 7) * 10**9 >> 32),
        # Behind other options, whose values are padded to four bytes.
        (field(2, b"wpan0") + field(9, b"\x09") + END_OF_OPTIONS, 0x1_0000_0007),
        (field(2, b"wpan") + field(9, b"\x09") + END_OF_OPTIONS, 0x1_0000_0007),
        (field(8, b"\x09") + field(10, b"\x09"), 0x1_0000_0007 * 1000),
        # What follows the end of the options is none.
        (END_OF_OPTIONS + field(9, b"\x09"), 0x1_0000_0007 * 1000),
    ],
)
def test_pcapng_times_have_the_resolution_of_their_interface(
    options: bytes, time_ns: int
) -> None:
    (captured,) = read_pcapng(options, packet_block(1, 7, b"\2\0\1"))
    assert (captured.time_ns, captured.packet) == (time_ns, b"\2\0\1")


def test_pcapng_packets_belong_to_their_interface() -> None:
    other = block(1, struct.pack("<HHI", 230, 0, 2) + field(9, b"\x09"))
    simple = block(3, struct.pack("<I", 3) + b"\2\0\1")
    blocks = (
        block(0x0BAD, b"not known"),
        other,
        packet_block(0, 5, b"\2\0\1", interface=1),
        packet_block(0, 5, b"\2\0\1", interface=0),
        simple,
    )
    read = read_pcapng(b"", *blocks)
    assert [each.time_ns for each in read] == [5, 5000, 0]
    assert [each.packet for each in read] == [b"\2\0\1"] * 3


@pytest.mark.parametrize(
    "damaged",
    [
        packet_block(0, 5, b"\2\0\1", interface=1),  # no such interface
        block(6, struct.pack("<5I", 0, 0, 5, 5, 5) + b"abcd"),
        block(6, bytes(16)),
        block(3, struct.pack("<I", 5) + b"abcd"),
        block(3, b""),
        block(1, bytes(4)),
        struct.pack("<II", 5, 12) + struct.pack("<I", 16),
        struct.pack("<II", 5, 12) + struct.pack("<I", 0),
        struct.pack("<II", 5, 8) + struct.pack("<I", 8),
        struct.pack("<II", 5, 14) + b"ab" + struct.pack("<I", 14),
        struct.pack("<II", 5, 20) + b"abcd" + struct.pack("<I", 20),
        struct.pack("<II", 0x0A0D0D0A, 16) + b"\x4d\x3c\x2b\x1b" + b"\x10\0\0\0",
        struct.pack("<I", 5),
    ],
)
def test_damaged_blocks_of_pcapng_are_reported(damaged: bytes) -> None:
    good = packet_block(0, 5, b"\2\0\1")
    assert len(read_pcapng(b"", good, good)) == 2
    with pytest.raises(PcapError, match=r"damaged|do not match its type"):
        read_pcapng(b"", good, damaged)


def test_the_smallest_and_the_largest_block_of_pcapng_are_read() -> None:
    good = packet_block(0, 5, b"\2\0\1")
    largest = block(5, bytes((1 << 24) - 12))
    assert len(read_pcapng(b"", block(5, b""), largest, good)) == 1
    with pytest.raises(PcapError, match="damaged"):
        read_pcapng(b"", good, block(5, bytes((1 << 24) - 8)))


def test_pcapng_without_interfaces_or_packets_is_reported() -> None:
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    with pytest.raises(PcapError, match="do not match its type"):
        Reader(io.BytesIO(section + packet_block(0, 5, b"\2\0\1")))
    with pytest.raises(PcapError, match="no packets"):
        read_pcapng(b"")


# ---- files of keys ----------------------------------------------------------

WRONG_FCS = "its frame check sequence (FCS) is wrong"
KEY_TEXT = KEY.hex()
DEVICE_ROW = (
    f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = [{{ extended = "0000000000000001", '
)


def test_a_file_of_keys_says_all_of_it() -> None:
    keys = key_file.keys_of(f"""
        [[key]]
        key = "{KEY_TEXT}"
        [[key]]
        key = "{KEY_TEXT}"
        mode = 1
        index = 255
        cipher = "ascon-aead128"
        [[key]]
        key = "{KEY_TEXT}"
        mode = 3
        index = 7
        source = "0102030405060708"
        [[key]]
        key = "{KEY_TEXT}"
        mode = 2
        source = "01020304"
        [[device]]
        extended = "acde480000000001"
        short = "10"
        pan = "F00d"
        [[device]]
        extended = "acde480000000002"
    """)
    assert keys == key_file.Keys(
        (
            FrameKey(KEY, KeyId(0, 0, b""), "aes128"),
            FrameKey(KEY, KeyId(1, 255, b""), "ascon-aead128"),
            FrameKey(KEY, KeyId(3, 7, bytes(range(1, 9))), "aes128"),
            FrameKey(KEY, KeyId(2, 0, bytes(range(1, 5))), "aes128"),
        ),
        (FrameDevice(A, short=0x10, pan=0xF00D), FrameDevice(B)),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no"),
        ("key = []", "has no"),
        ("key = [1]", "key 'key'"),
        (f'key = [{{ key = "{KEY_TEXT}", indx = 1 }}]', "key 'indx'"),
        (f'key = [{{ key = "{KEY_TEXT}" }}]\nkeys = 1', "key 'keys'"),
        (f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = 1', "key 'device'"),
        (f'key = [{{ key = "{KEY_TEXT[2:]}" }}]', "takes a key of 16 bytes"),
        (f'key = [{{ key = "{KEY_TEXT}00" }}]', "takes a key of 16 bytes"),
        (f'key = [{{ key = "{KEY_TEXT}", index = 256 }}]', "0 to 255"),
        (f'key = [{{ key = "{KEY_TEXT}", index = true }}]', "0 to 255"),
        (f'key = [{{ key = "{KEY_TEXT}", mode = -1 }}]', "0 to 3"),
        (f'key = [{{ key = "{KEY_TEXT}", mode = 4 }}]', "0 to 3"),
        (f'key = [{{ key = "{KEY_TEXT}", mode = 3 }}]', "have 8 bytes, not 0"),
        (f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = [{{}}]', "hex digits"),
        (
            f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = [{{ extended = "00" }}]',
            "have 8 bytes",
        ),
        (
            DEVICE_ROW + 'short = "12345" }]',
            "short of a .* one to four",
        ),
        (
            DEVICE_ROW + 'pan = "" }]',
            "pan of a .* one to four",
        ),
    ],
)
def test_wrong_key_files_are_refused(text: str, words: str) -> None:
    with pytest.raises(key_file.KeysError, match=words) as caught:
        key_file.keys_of(text)
    assert KEY_TEXT[2:] not in str(caught.value)


# ---- TAP headers ------------------------------------------------------------


def tap_read(packet: bytes) -> Captured:
    (captured,) = Reader(io.BytesIO(pcap(283, (packet, len(packet)))))
    return captured


@pytest.mark.parametrize(
    "record", sections_of(FOLDER / "frames" / "tap.txt")["tap"], ids=str
)
def test_known_tap_headers(record: Record) -> None:
    packet, frame = record.bytes_of("packet"), record.bytes_of("frame")
    asn = record.bytes_of("asn")
    captured = tap_read(packet)
    assert captured.frame == frame
    assert captured.has_fcs is bool(record.fields["fcs"])
    assert captured.asn == (int.from_bytes(asn, "big") if asn else None)
    assert captured.with_frame(frame) == packet


@pytest.mark.parametrize("size", range(9))
def test_padding_in_a_tap_header_is_passed_over(size: int) -> None:
    """A value is padded to four bytes; its length does not count the padding."""
    frame = secured(A)
    fields = field(1, b"\xff" * size) + FCS_16 + field(7, bytes(range(1, 9)))
    captured = tap_read(tap(frame + fcs_of(frame), fields))
    assert (captured.frame, captured.has_fcs) == (frame, True)
    assert captured.asn == 0x0807060504030201
    captured = tap_read(tap(frame, field(1, b"\0" * size) + field(7, bytes(8))))
    assert (captured.frame, captured.has_fcs, captured.asn) == (frame, False, 0)


def test_known_tap_packets() -> None:
    """By hand: RSSI -30.5 dBm, channel 26 of page 0, ASN 0x0102030405, 16-bit FCS."""
    header = bytes.fromhex(
        "00 00 2800"
        "0000 0100 01 000000"
        "0100 0400 0000f4c1"
        "0300 0300 1a00 00 00"
        "0700 0800 0504030201000000"
    )
    frame = bytes.fromhex("02006a")
    captured = tap_read(header + frame + bytes.fromhex("e479"))
    assert captured == Captured(
        10**9,
        header + frame + bytes.fromhex("e479"),
        len(header) + 5,
        frame,
        header,
        has_fcs=True,
        asn=0x0102030405,
    )
    other = captured.with_frame(bytes.fromhex("020061"), asn=9)
    # It tells an ASN already, which stays.
    assert other == header + bytes.fromhex("020061") + crc_of(b"\2\0\x61")


def crc_of(data: bytes) -> bytes:
    """Return the FCS bit by bit: x^16 + x^12 + x^5 + 1, lowest bit first."""
    crc = 0
    for bit in range(8 * len(data)):
        crc ^= data[bit // 8] >> bit % 8 & 1
        crc = crc >> 1 ^ 0x8408 * (crc & 1)
    return crc.to_bytes(2, "little")


@pytest.mark.parametrize("size", [0, 1, 2, 3, 16, 125, 2045])
def test_check_sequences(size: int) -> None:
    frame = bytes(range(256)) * 8
    assert fcs_of(frame[:size]) == crc_of(frame[:size])
    psdu = frame[:size] + crc_of(frame[:size])
    assert is_intact(psdu)
    for place in {0, size // 2, size, size + 1}:
        changed = bytearray(psdu)
        changed[place] ^= 0x10
        assert not is_intact(bytes(changed))
    assert not is_intact(psdu[:1])


def test_an_asn_is_added_to_a_tap_header() -> None:
    captured = tap_read(bytes.fromhex("00000400 02006a"))
    assert captured.with_frame(b"\2\0\x6a", asn=0x0102030405) == bytes.fromhex(
        "00001000 07000800 0504030201000000 02006a"
    )
    assert captured.with_frame(b"\2\0\x6a") == captured.packet


@pytest.mark.parametrize(
    ("packet", "words"),
    [
        ("000004", "with a TAP header"),
        ("01000400", "with a TAP header"),
        ("00000300", "with a TAP header"),
        ("00000500", "with a TAP header"),
        ("00000c00 00000100 02000000 00000000", "32 bits"),
        ("00000c00 00000100 01000000 aa", "shorter than a frame check"),
    ],
)
def test_tap_headers_that_are_refused(packet: str, words: str) -> None:
    with pytest.raises(PcapError, match=words):
        tap_read(bytes.fromhex(packet))


def test_fields_that_end_within_are_not_read() -> None:
    frame = secured(A)
    for fields in (b"\0\0\1\0", b"\7\0\x08\0\1\2\3\4", b"\0\0", b"\7\0\4\0\1\2\3\4"):
        captured = tap_read(tap(frame, fields))
        assert (captured.frame, captured.has_fcs, captured.asn) == (frame, False, None)


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


# ---- slots ------------------------------------------------------------------


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
