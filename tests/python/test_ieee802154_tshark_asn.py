# SPDX-License-Identifier: Apache-2.0
"""tshark judges frames whose nonce is made of the ASN (TSCH).

It takes the absolute slot number from the TAP header, field 7, of link type 283.
The packets are put together here, byte by byte, and not by our own writer.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import pytest
from frame_cases import KEY, KEY_IDS, PAN, PAYLOAD, A, B

from samara.link.ieee802154 import Address, Frame, Security, SecurityHeader
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TSHARK = shutil.which("tshark") or "tshark"
_DISABLED = ("lwm", "zbee_nwk", "zbee_nwk_gp", "zbee_beacon", "6lowpan")
_TIMEOUT_S = 120
ASNS = (0, 1, 0x0102030405, (1 << 40) - 2)
LEVELS = (1, 2, 3, 5, 6, 7)

ADDRESSES = {
    "extended to extended": (Address(PAN, long=B), Address(long=A), False),
    "extended to short": (Address(PAN, short=2), Address(PAN, long=A), False),
    "short to extended": (Address(PAN, long=B), Address(PAN, short=0x0102), False),
    "short to short": (Address(PAN, short=2), Address(PAN, short=0x0102), False),
    "short to short, one PAN": (Address(PAN, short=2), Address(short=0x0102), True),
    "short to another PAN": (Address(0x8765, short=2), Address(PAN, short=1), False),
    "short to nobody": (Address(), Address(PAN, short=0xFFFD), False),
}
"""Destination, source, and whether PANs are compressed."""


@dataclass(frozen=True)
class Slotted:
    """A protected frame, and its slot."""

    asn: int
    frame: bytes


def protect(frame: Frame, asn: int, *, pan: int = PAN) -> Slotted:
    assert frame.security is not None
    sender = Security(A, pan)
    sender.add_key(KEY, frame.security.key_id, asn=True)
    return Slotted(asn, sender.protect(frame, asn=asn))


def frames(level: int) -> Iterable[Frame]:
    for (to, source, compressed), key_id in product(ADDRESSES.values(), KEY_IDS):
        yield Frame(
            sequence=9,
            destination=to,
            source=source,
            pan_compression=compressed,
            security=SecurityHeader(level, key_id, counter=None, asn_in_nonce=True),
            payload=PAYLOAD,
        )


def tap(asn: int, frame: bytes) -> bytes:
    """TAP version 0: FCS type 1 (16 bits), ASN (type 7, 8 bytes), frame, FCS."""
    fields = struct.pack("<HHB3x", 0, 1, 1) + struct.pack("<HHQ", 7, 8, asn)
    header = struct.pack("<BBH", 0, 0, 4 + len(fields))
    return header + fields + frame + fcs_of(frame)


def verified(path: Path, packets: Iterable[bytes]) -> list[str]:
    """Return each packet's payload when tshark found its MIC right, else ""."""
    content = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 283)
    for packet in packets:
        content += struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet
    path.write_bytes(content)
    quiet = [f"--disable-protocol={name}" for name in _DISABLED]
    done = subprocess.run(
        [
            *(TSHARK, *quiet, "-r", str(path)),
            *("-o", f'uat:ieee802154_keys:"{KEY.hex()}","1","No hash"'),
            *("-o", f'uat:ieee802154_keys:"{KEY.hex()}","0","No hash"'),
            *("-T", "fields", "-e", "wpan.key_number", "-e", "data.data"),
        ],
        capture_output=True,
        check=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [payload if key_number else "" for key_number, payload in rows]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_slotted_frame_is_verified(level: int, tmp_path: Path) -> None:
    slotted = [protect(frame, asn) for frame, asn in product(frames(level), ASNS)]
    packets = [tap(each.asn, each.frame) for each in slotted]
    shown = verified(tmp_path / "good.pcap", packets)
    wrong = [
        each for each, seen in zip(slotted, shown, strict=True) if seen != PAYLOAD.hex()
    ]
    assert wrong == []


def test_no_frame_of_another_slot_is_verified(tmp_path: Path) -> None:
    slotted = [protect(frame, 77) for frame in frames(6)]
    packets = [tap(78, each.frame) for each in slotted]
    assert verified(tmp_path / "bad.pcap", packets) == [""] * len(slotted)


def test_the_short_source_is_in_the_nonce(tmp_path: Path) -> None:
    """Another short address in the header is another nonce, and no other key."""
    frame = next(
        each for each in frames(6) if each.source.short and each.destination.short
    )
    good = protect(frame, 77)
    other = protect(replace(frame, source=Address(PAN, short=0x0103)), 77)
    packets = [tap(77, good.frame), tap(77, other.frame)]
    assert verified(tmp_path / "both.pcap", packets) == [PAYLOAD.hex()] * 2
    assert good.frame[-8:] != other.frame[-8:]
