# SPDX-License-Identifier: Apache-2.0
"""Nodes over a TNC of packet radio that somebody else has written: direwolf."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING

import pytest
from links import listening
from shell import TIMEOUT_S, samara
from tnc import DIREWOLF, two_tncs

from samara.link.rfserial.modules.wrappings import wrappings

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.rfserial.modules.wrapping import Session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not DIREWOLF,
        reason="NOT TRIED: direwolf is not installed",
    ),
]


def test_messages_cross_the_audio_of_two_tncs(tmp_path: Path) -> None:
    """As the profile is: AX.25 UI frames by AFSK at 1200 bit/s."""
    texts = ["21.5 C", "humidity 40 %; " * 20]
    with two_tncs(tmp_path) as (one, other):
        made = samara(
            *("node", "init", "left", "--link", "rf-serial"),
            *("--module", "kiss-ax25", "--port", one.port),
            folder=tmp_path,
        )
        assert made.returncode == 0, made.stderr
        pair = ("--pair-with", "left", "--port", other.port)
        assert samara("node", "init", "right", *pair, folder=tmp_path).returncode == 0
        with listening(tmp_path, "right", "--count", "2") as listener:
            for text in texts:
                sent = samara("node", "send", "left", text, "--ack", folder=tmp_path)
                assert sent.returncode == 0, (sent.stderr, one.said, other.said)
            events = listener.events()
        assert "N0CALL>SAMARA" in other.said
        # What it heard is not the message.
        assert "21.5 C" not in other.said
        assert "humidity" not in other.said
    assert [each["text"] for each in events if each["type"] == "received"] == texts


def crossed(source: str, target: str, line: bytes, session: Session) -> list[bytes]:
    """Write to a serial port; return what comes out of another."""
    ends = [os.open(each, os.O_RDWR | os.O_NOCTTY) for each in (source, target)]
    try:
        os.write(ends[0], line)
        found: list[bytes] = []
        while not found and select.select([ends[1]], [], [], TIMEOUT_S)[0]:
            found += session.feed(os.read(ends[1], 4096))
        return found
    finally:
        for each in ends:
            os.close(each)


def test_each_byte_arrives_as_it_is(tmp_path: Path) -> None:
    kiss = wrappings()["kiss"]
    here, there = (
        kiss.session({"to": "SAMARA-3", "from": "N0CALL-15"}) for _ in range(2)
    )
    packets = [b"\xc0", bytes(range(240)), bytes(range(16, 256)), b"\xdb\xc0" * 9]
    with two_tncs(tmp_path) as (one, other):
        for packet in packets:
            line = here.wrap(packet)
            assert crossed(one.port, other.port, line, there) == [packet]
        assert "N0CALL-15>SAMARA-3" in other.said
    assert there.damaged == 0
