# SPDX-License-Identifier: Apache-2.0
"""TAP headers of captures, and check sequences of their frames."""

from __future__ import annotations

import io

import pytest
from capture_cases import (
    FCS_16,
    field,
    pcap,
    secured,
    tap,
)
from frame_cases import A
from vectorfile import FOLDER, Record, sections_of

from samara.link.ieee802154.captures.pcap import (
    Captured,
    PcapError,
    Reader,
)
from samara.link.ieee802154.frames.fcs import fcs_of, is_intact


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
