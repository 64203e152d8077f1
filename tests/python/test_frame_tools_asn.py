# SPDX-License-Identifier: Apache-2.0
"""`samara frame` and `samara pcap` with nonces of the ASN (TSCH)."""

from __future__ import annotations

import struct
import subprocess
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from shell import TIMEOUT_S, assert_done, assert_misuse, said, samara

from samara.link.ieee802154 import parse
from samara.link.ieee802154.captures.pcap import LinkType, Reader, Writer
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from pathlib import Path

KEY = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
SENDER = "acde480000000001"
SHORT = "41a82a2143020001003231"
"""Data of 2015 from 0001 to 0002 of PAN 4321, `21`."""
EXTENDED = "01ec2a2143020000000048deac010000000048deac3231"
"""The same between extended addresses."""
NOBODYS = "01282a21430200" + "3231"
"""The same without a source."""
OLD = "41982a2143020001003231"
"""The first, as of 2006."""
ASN = 0x0102030405
KEYS = f'[[key]]\nkey = "{KEY}"\nmode = 1\nindex = 1\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a key and a file of keys that names no device."""
    for name, content in (("key", KEY), ("keys.toml", KEYS)):
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o600)
    return tmp_path


# Frames


def protect(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    options = ("--key", "@key", "--key-index", "1", "--level", "6")
    return samara("frame", "protect", *options, *arguments, folder=folder)


def open_(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return samara("frame", "open", "--key", "@key", *arguments, folder=folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plain", "begin", "options"),
    [
        (SHORT, "ba55ec00 4321 0001", ()),
        (EXTENDED, SENDER, ()),
        (NOBODYS, SENDER, ("--sender", SENDER)),
    ],
)
def test_a_frame_of_a_slot(
    plain: str, begin: str, options: tuple[str, ...], folder: Path
) -> None:
    done = protect(folder, "--asn", str(ASN), *options, plain)
    secured = bytes.fromhex(assert_done(done).decode())
    header = parse(secured).security
    assert header is not None
    assert (header.counter, header.asn_in_nonce) == (None, True)
    nonce = bytes.fromhex(begin) + ASN.to_bytes(5, "big")
    sealed = AESCCM(bytes.fromhex(KEY), tag_length=8).encrypt(
        nonce, b"21", secured[:-10]
    )
    assert secured[-10:] == sealed
    shown = open_(folder, "--asn", str(ASN), *options, secured.hex())
    assert assert_done(shown) == b"3231\n"
    later = open_(folder, "--asn", str(ASN + 1), *options, secured.hex())
    assert (later.returncode, later.stdout) == (1, b"")


def slotted(folder: Path) -> str:
    return assert_done(protect(folder, "--asn", "7", SHORT)).decode().strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--asn", "7", "--frame-counter", "7", SHORT),
            "or --asn, not both",
        ),
        ((SHORT,), "give --frame-counter, or --asn"),
        (("--asn", "7", OLD), "of version 2006"),
        (("--asn", "1099511627775", SHORT), "0 to 1,099,511,627,774"),
        (("--asn", "-1", SHORT), "--asn"),
        (
            ("--asn", "7", "--suite", "grain128aead", SHORT),
            "does not support",
        ),
        (("--asn", "7", NOBODYS), "--sender"),
    ],
)
def test_what_protect_refuses(
    arguments: tuple[str, ...], words: str, folder: Path
) -> None:
    assert_misuse(protect(folder, *arguments), words)


def test_a_short_address_of_many_is_refused(folder: Path) -> None:
    done = protect(folder, "--asn", "7", SHORT.replace("01003231", "feff3231"))
    assert done.returncode == 1
    assert "several devices have it" in said(done)[0]


@pytest.mark.slow
def test_what_open_refuses(folder: Path) -> None:
    secured = slotted(folder)
    assert_misuse(open_(folder, secured), "number with --asn")
    assert_misuse(
        open_(folder, "--asn", "1099511627775", secured), "0 to 1,099,511,627,774"
    )
    done = open_(folder, "--asn", "7", "--suite", "grain128aead", secured)
    assert_misuse(done, "grain128aead does not support nonces")
    counted = protect(
        folder, "--frame-counter", "7", "--address", f"0001={SENDER}", SHORT
    )
    counted_hex = assert_done(counted).decode().strip()
    assert_misuse(open_(folder, "--asn", "7", counted_hex), "leave out --asn")
    done = open_(folder, "--asn", "7", SHORT)
    assert done.returncode == 1  # not secured


# Captures


def tap(frame: bytes, asn: int | None) -> bytes:
    """Write a TAP packet without FCS by hand; the ASN is field 7."""
    fields = struct.pack("<HHB3x", 0, 1, 0)
    if asn is not None:
        fields += struct.pack("<HHQ", 7, 8, asn)
    return struct.pack("<BBH", 0, 0, 4 + len(fields)) + fields + frame


def write(path: Path, link_type: LinkType, *packets: bytes) -> None:
    with path.open("wb") as file:
        writer = Writer(file, link_type)
        for packet in packets:
            writer.write(packet, 0)


def convert(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return samara("pcap", *arguments, "--keys", "keys.toml", folder=folder)


def tshark(path: Path) -> list[list[str]]:
    quiet = [f"--disable-protocol={name}" for name in ("6lowpan", "lwm", "zbee_nwk")]
    done = subprocess.run(
        [
            *("tshark", *quiet, "-r", str(path), "-Tfields"),
            *("-o", f'uat:ieee802154_keys:"{KEY}","1","No hash"'),
            *("-e", "wpan-tap.asn", "-e", "wpan.key_number", "-e", "data.data"),
        ],
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
        text=True,
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_tap_headers_tell_the_slots(folder: Path) -> None:
    """Where they tell none, they are counted from --asn, and told from then on."""
    frames = [bytes.fromhex(each) for each in (SHORT, EXTENDED, SHORT, EXTENDED)]
    expected = [None, ASN, 1003 + ASN, None]
    packets = [tap(frame, asn) for frame, asn in zip(frames, expected, strict=True)]
    write(folder / "clear", LinkType.TAP, *packets)
    done = convert(folder, "protect", "clear", "out", "--level=6", f"--asn={ASN}")
    assert b"4 of 4" in assert_done(done)
    seen = tshark(folder / "out")
    slots = [ASN, ASN, ASN + 1003, ASN + 3]
    assert [row[0] for row in seen] == [str(slot) for slot in slots]
    assert all(row[1:] == ["0", "3231"] for row in seen)
    done = convert(folder, "open", "out", "again")
    assert b"4 of 4" in assert_done(done)
    with (folder / "again").open("rb") as file:
        assert [captured.frame for captured in Reader(file)] == frames


@pytest.mark.slow
def test_captures_without_slots_are_counted(folder: Path) -> None:
    frames = [bytes.fromhex(each) for each in (SHORT, EXTENDED, SHORT)]
    packets = [frame + fcs_of(frame) for frame in frames]
    write(folder / "clear", LinkType.WITH_FCS, *packets)
    done = convert(folder, "protect", "clear", "out", "--level=6", "--asn=500")
    assert b"3 of 3" in assert_done(done)
    done = convert(folder, "open", "out", "again", "--asn=500")
    assert b"3 of 3" in assert_done(done)
    assert (folder / "again").read_bytes() == (folder / "clear").read_bytes()
    done = convert(folder, "open", "out", "again")
    assert done.returncode == 1
    assert len(said(done)) == 3
    assert "that of the first packet (--asn)" in said(done)[0]


def test_no_slot_is_used_twice_by_a_sender(folder: Path) -> None:
    short, extended = bytes.fromhex(SHORT), bytes.fromhex(EXTENDED)
    packets = [tap(short, 9), tap(extended, 9), tap(short, 9), tap(short, 8)]
    write(folder / "clear", LinkType.TAP, *packets)
    done = convert(folder, "protect", "clear", "out", "--level=5", "--asn=0")
    assert done.returncode == 1
    assert [line.split(": ", 1)[1] for line in said(done)] == [
        f"frame {number}: its sender has already sent a frame in this slot or a later "
        "one."
        for number in (3, 4)
    ]


@pytest.mark.slow
def test_replays_and_both_kinds_of_nonce(folder: Path) -> None:
    (folder / "keys.toml").write_text(
        f'{KEYS}[[device]]\nextended = "{SENDER}"\nshort = "0001"\n'
    )
    arguments = ("--frame-counter", "7", "--address", f"0001={SENDER}", SHORT)
    counted = bytes.fromhex(assert_done(protect(folder, *arguments)).decode())
    in_slot = bytes.fromhex(slotted(folder))
    packets = [tap(counted, None), tap(in_slot, 7), tap(in_slot, 7), tap(counted, 9)]
    write(folder / "in", LinkType.TAP, *packets)
    done = convert(folder, "open", "in", "out")
    assert done.returncode == 1
    assert [line.split(": ")[1] for line in said(done)] == ["frame 3", "frame 4"]
    assert all("seen before" in line for line in said(done))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--level=5",), "give --frame-counter, or --asn"),
        (
            ("--level=5", "--asn=1", "--frame-counter=1"),
            "or --asn, not both",
        ),
        (("--level=5", "--asn=1099511627775"), "0 to 1,099,511,627,774"),
    ],
)
def test_what_captures_refuse(
    arguments: tuple[str, ...], words: str, folder: Path
) -> None:
    write(folder / "clear", LinkType.TAP, tap(bytes.fromhex(SHORT), 7))
    assert_misuse(convert(folder, "protect", "clear", "out", *arguments), words)
    assert not (folder / "out").exists()
