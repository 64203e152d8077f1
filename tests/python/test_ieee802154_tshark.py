# SPDX-License-Identifier: Apache-2.0
"""tshark reads the frames we protect, and refuses them once they are changed.

It shows the number of the key for which the MIC was right. At levels 0 and 4,
which have none, it shows any: there the plaintext is compared alone. Short
addresses it knows by a table, as we do.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from frame_cases import KEY, PAYLOAD, B, Case, cases, data_frame

from samara.link.ieee802154 import Address, Element, FrameType
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TSHARK = shutil.which("tshark") or "tshark"

# They would take the payload for theirs.
_DISABLED = ("lwm", "zbee_nwk", "zbee_nwk_gp", "zbee_beacon", "6lowpan")
_TIMEOUT_S = 120


@dataclass(frozen=True)
class Verdict:
    """What tshark says of a frame."""

    key_number: str
    payload: str
    command: str


def judge(path: Path, frames: Iterable[bytes], link_type: LinkType) -> list[Verdict]:
    with path.open("wb") as file:
        writer = Writer(file, link_type)
        for number, frame in enumerate(frames):
            writer.write_psdu(frame + fcs_of(frame), number * 1_000_000)
    keys = [f'uat:ieee802154_keys:"{KEY.hex()}","{i}","No hash"' for i in (0, 1)]
    address = 'uat:802154_addresses:"0001","4321",acde480000000001'
    options = [word for option in (*keys, address) for word in ("-o", option)]
    disabled = [word for name in _DISABLED for word in ("--disable-protocol", name)]
    names = ("wpan.key_number", "data.data", "wpan.cmd")
    fields = [word for name in names for word in ("-e", name)]
    answer = subprocess.run(
        [TSHARK, "-r", path, *options, *disabled, "-T", "fields", *fields],
        check=True,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    return [Verdict(*line.split("\t")) for line in answer.stdout.splitlines()]


def shows_plaintext(case: Case, verdict: Verdict) -> bool:
    if case.frame.type is FrameType.COMMAND:
        return verdict.command == "0x04"
    return verdict.payload == PAYLOAD.hex()


def corrupted(frame: bytes) -> list[bytes]:
    """Change the sequence number, what is before the MIC, and the MIC's end."""
    changed = []
    for place in (2, -17, -1):
        copy = bytearray(frame)
        copy[place] ^= 1
        changed.append(bytes(copy))
    return changed


def more_of_2015() -> list[Case]:
    """Return frames with what only 2015 has: elements, no sequence number."""
    plain = data_frame()
    correction, last = Element(0x1E, b"\5\0"), Element(0x7F)
    return [
        Case(replace(plain, sequence=None)),
        Case(replace(plain, header_elements=(correction, last))),
        Case(replace(plain, type=FrameType.ACKNOWLEDGEMENT)),
        Case(replace(plain, pan_compression=True, destination=Address(long=B))),
    ]


@pytest.mark.parametrize("link_type", list(LinkType))
def test_every_frame_is_read(link_type: LinkType, tmp_path: Path) -> None:
    chosen = [*cases(), *more_of_2015()]
    verdicts = judge(
        tmp_path / "good.pcap", (case.protect() for case in chosen), link_type
    )
    assert len(verdicts) == len(chosen)
    wrong = [
        (str(case), verdict)
        for case, verdict in zip(chosen, verdicts, strict=True)
        if not verdict.key_number or not shows_plaintext(case, verdict)
    ]
    assert wrong == []


def test_no_changed_frame_is_accepted(tmp_path: Path) -> None:
    chosen = [case for case in (*cases(), *more_of_2015()) if case.frame.level % 4]
    frames = [changed for case in chosen for changed in corrupted(case.protect())]
    verdicts = judge(tmp_path / "bad.pcap", frames, LinkType.WITHOUT_FCS)
    accepted = [
        frame.hex()
        for frame, verdict in zip(frames, verdicts, strict=True)
        if verdict.key_number
    ]
    assert accepted == []
