# SPDX-License-Identifier: Apache-2.0
"""Frames that another program hears and writes as a capture: `--radio pcap:FILE`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from shell import samara

from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.sniffing.capture_stream import CaptureStream
from samara.link.node import folder as folders
from samara.link.node.link import LinkError

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_S = 60
MANY = 3000


def psdu(number: int) -> bytes:
    frame = b"\x41\x88" + number.to_bytes(4, "big") + b"hello"
    return frame + fcs_of(frame)


def taken(stream: CaptureStream, count: int) -> list[bytes]:
    """Wait for so many frames."""
    frames: list[bytes] = []
    end_s = time.monotonic() + PATIENCE_S
    while len(frames) < count:
        assert time.monotonic() < end_s
        frames += stream.receive(0.1)
    return frames


def written(path: Path, count: int, link_type: LinkType = LinkType.TAP) -> Path:
    with path.open("wb") as file:
        writer = Writer(file, link_type)
        for number in range(count):
            writer.write_psdu(psdu(number), number)
    return path


@pytest.mark.parametrize("link_type", list(LinkType))
@pytest.mark.parametrize("count", [0, 1, MANY])
def test_a_capture_is_read_to_its_end(
    link_type: LinkType, count: int, tmp_path: Path
) -> None:
    stream = CaptureStream(str(written(tmp_path / "air.pcap", count, link_type)))
    assert taken(stream, count) == [psdu(number) for number in range(count)]
    while not stream.has_ended:
        assert stream.receive(0.1) == []
    assert stream.receive(0) == []
    assert stream.notices() == []


def test_what_is_written_to_a_pipe_is_heard_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Nobody writes yet.
    stream = CaptureStream(str(pipe))
    assert stream.receive(0) == []
    with pipe.open("wb") as file:
        writer = Writer(file, LinkType.WITH_FCS)
        for number in range(3):
            writer.write_psdu(psdu(number), number)
            assert taken(stream, 1) == [psdu(number)]
            assert not stream.has_ended
    while not stream.has_ended:
        assert stream.receive(0.1) == []


def test_frames_with_a_wrong_check_sequence_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "air.pcap"
    with path.open("wb") as file:
        writer = Writer(file, LinkType.WITH_FCS)
        for damage in (0, 1, 0, 4):
            good = psdu(damage)
            writer.write_psdu(good[:-1] + bytes((good[-1] ^ damage,)), 0)
    stream = CaptureStream(str(path))
    assert taken(stream, 2) == [psdu(0)] * 2
    while not stream.has_ended:
        stream.receive(0.1)
    assert stream.notices() == ["2 frames of the capture have a wrong check sequence"]
    assert stream.notices() == []


def test_what_comes_before_the_damage_is_heard(tmp_path: Path) -> None:
    path = written(tmp_path / "air.pcap", 2)
    path.write_bytes(path.read_bytes()[:-1])
    stream = CaptureStream(str(path))
    assert taken(stream, 1) == [psdu(0)]
    with pytest.raises(LinkError, match=r"air.pcap: the capture is cut short"):
        taken(stream, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nowhere", "nowhere: no such capture, nor a pipe for one (mkfifo)"),
        ("text", "text: the file is not a capture: neither pcap nor pcapng"),
        (".", ".: Is a directory"),
    ],
)
def test_what_is_no_capture_is_reported(name: str, text: str, tmp_path: Path) -> None:
    folders.make_pair(tmp_path / "a", "ieee802154", {})
    (tmp_path / "text").write_text("no capture at all, but long enough for one")
    words = ("ip", "watch", "a", "--radio", f"pcap:{name}", "--timeout", "20")
    done = samara(*words, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    # A pipe may be opened long before anything is written to it.
    assert b" ".join(done.stderr.split()).endswith(f"samara: {text}.".encode())
