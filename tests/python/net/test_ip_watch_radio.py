# SPDX-License-Identifier: Apache-2.0
"""`samara ip watch` as a sniffer on a radio co-processor.

Two nodes with IPv6 talk over co-processors. Two more hear them: one with `ip watch`,
whose capture tshark decrypts, and one with the sniffer of pyspinel, OpenThread's own,
which says what there was to hear.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import nets
import pytest
from links import Running
from rcp_peer import Air, RcpPeer
from shell import TIMEOUT_S, assert_done, objects, samara

from samara.link.ieee802154.captures.pcap import PcapError, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

SNIFFER = Path(sys.executable).with_name("sniffer.py")
ECHOES = 3
_SIZE = 200


@contextlib.contextmanager
def pyspinel(port: str, output: Path) -> Iterator[None]:
    """Run the sniffer of pyspinel until the end of the block."""
    command = [sys.executable, str(SNIFFER), "-u", port, "-c", "26", "-d", "0"]
    with subprocess.Popen(
        [*command, "--crc", "--rssi", "--tap", "-o", str(output)],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            printed = ""
            while "SUCCESS" not in printed:
                line = process.stderr.readline()
                assert line, printed
                printed += line
            yield
        finally:
            process.kill()


def frames_in(capture: Path) -> list[bytes]:
    """Return the frames that a capture has so far."""
    with capture.open("rb") as file, contextlib.suppress(PcapError):
        return [each.frame for each in Reader(file)]
    return []


def until_captured(capture: Path, frames: list[bytes]) -> None:
    """Wait until another program has written as many frames."""
    end_s = time.monotonic() + TIMEOUT_S
    while len(frames_in(capture)) < len(frames) and time.monotonic() < end_s:
        time.sleep(0.05)


def shown_by_tshark(capture: Path) -> list[str]:
    """Return what the echo requests and answers are, as tshark decrypts them."""
    profile = capture.with_name(f"{capture.name}.wireshark")
    words = ["-Y", "icmpv6.echo.sequence_number", "-T", "fields"]
    names = ["icmpv6.type", "icmpv6.echo.sequence_number", "icmpv6.checksum.status"]
    done = subprocess.run(
        ["tshark", "-r", capture, *words, *(f"-e{name}" for name in names)],  # noqa: S607 - Debian's
        env={**os.environ, "WIRESHARK_CONFIG_DIR": str(profile)},
        check=True,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_dongle_hears_what_tshark_opens_and_openthreads_sniffer_hears(
    tmp_path: Path,
) -> None:
    nets.need("ping", "tshark")
    ours, theirs = tmp_path / "ours.pcapng", tmp_path / "theirs.pcap"
    air = Air()
    with ExitStack() as stack:
        one, two, listener, judge = (
            stack.enter_context(RcpPeer(air)) for _ in range(4)
        )
        retries = ("--frame-retries", "3")
        made = ("node", "init", "a", "--link", "ieee802154", *retries)
        assert_done(samara(*made, "--radio", f"spinel:{one.path}", folder=tmp_path))
        made = ("node", "init", "b", "--pair-with", "a", *retries)
        assert_done(samara(*made, "--radio", f"spinel:{two.path}", folder=tmp_path))
        stack.enter_context(pyspinel(judge.path, theirs))
        words = (
            "ip",
            "watch",
            "a",
            "b",
            "--radio",
            f"spinel:{listener.path}",
            "--json",
        )
        watch = stack.enter_context(
            Running(tmp_path, *words, "-o", ours, "--count", str(2 * ECHOES))
        )
        while "watch" not in watch.next_message():
            assert watch.poll() is None
        up = ("ip", "up", "--own-netns", "--json")
        near = stack.enter_context(Running(tmp_path, *up, "a"))
        far = stack.enter_context(Running(tmp_path, *up, "b"))
        nets.until_printed(near)
        nets.until_printed(far)
        (first,), (second,) = nets.members_of(near), nets.members_of(far)
        options = f"-c {ECHOES} -W 30 -s {_SIZE} {second['address']}".split()
        assert f" {ECHOES} received" in nets.run(first, "ping", *options)
        packets = [each for each in watch.events() if each["type"] == "packet"]
        heard = frames_in(ours)
        until_captured(theirs, heard)
        near.send_signal(signal.SIGINT)
        far.send_signal(signal.SIGINT)
    # What the other sniffer has captured is watched as what was heard here.
    words = ("ip", "watch", "a", "b", "--radio", f"pcap:{theirs}", "--json")
    done = samara(*words, folder=tmp_path)
    assert done.returncode == 0, done
    again = [each for each in objects(done.stdout) if each["type"] == "packet"]
    assert again[: len(packets)] == packets
    # As long as ours: others may follow.
    assert frames_in(theirs)[: len(heard)] == heard
    assert len(packets) == 2 * ECHOES
    assert {each["packet_bytes"] for each in packets} == {40 + 8 + _SIZE}
    # Request and answer in turn; the checksum is of the plaintext.
    assert shown_by_tshark(ours) == [
        f"{kind}\t{number}\t1" for number in range(1, ECHOES + 1) for kind in (128, 129)
    ]
