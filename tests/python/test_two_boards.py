# SPDX-License-Identifier: Apache-2.0
"""Two boards without a host: the example sensor, and the example receiver.

Both are ATmega328P in libsimavr, in real time, and their UARTs are wired: what the
sensor sends goes to the receiver, which writes the text of genuine messages. A program
can be on the wire between them.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
import tty
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import assert_done, samara

from samara.bench.simulators.avr_programs import avr_program
from samara.link import rfserial

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "firmware" / "examples"
CLOCK = 16_000_000
LINE = re.compile(rb"\d{3,4} mV\r\n")
WAIT_S = 60.0
SILENT_S = 1.0


@dataclass(frozen=True)
class Board:
    """A board with its program, and the end of its UART that is here."""

    run: Path
    image: Path
    wire: int
    port: str

    @contextmanager
    def alive(self, seconds: float, seed: int = 0) -> Iterator[subprocess.Popen[bytes]]:
        """Let it live for so long by its own clock; an odd seed tears a write."""
        chip = ["atmega328p", str(CLOCK), str(self.image)]
        life = [str(self.image.with_name("eeprom")), str(round(seconds * CLOCK))]
        command = [str(self.run), *chip, *life, str(seed), "1", self.port]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            try:
                yield process
            finally:
                process.terminate()

    def heard(self, wait_s: float) -> bytes:
        """Return what it has sent, if anything comes within a time."""
        ready, _, _ = select.select([self.wire], [], [], wait_s)
        return os.read(self.wire, 4096) if ready else b""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the records and both programs, as a maker does."""
    folder = tmp_path_factory.mktemp("boards")
    for name in ("sensor", "receiver"):
        shutil.copytree(EXAMPLES / name, folder / name)
    records = [f"{name}/record.h" for name in ("sensor", "receiver")]
    made = samara("node", "devices", *records, "--link", "rf-serial", folder=folder)
    assert_done(made, "contain a key")
    for name in ("sensor", "receiver"):
        command = ["make", f"CORE={ROOT / 'core'}", "EXTRA=-DSTEP=2"]
        subprocess.run(command, cwd=folder / name, check=True, capture_output=True)
    return folder


@pytest.fixture
def boards(built: Path, tmp_path: Path) -> Iterator[tuple[Board, Board]]:
    """Return a new sensor and a new receiver."""
    with ExitStack() as stack:
        made = []
        for name in ("sensor", "receiver"):
            wire, port = pty.openpty()
            stack.callback(os.close, wire)
            stack.callback(os.close, port)
            tty.setraw(port)
            (tmp_path / name).mkdir()
            image = Path(shutil.copy(built / name / f"{name}.elf", tmp_path / name))
            made.append(Board(avr_program("board"), image, wire, os.ttyname(port)))
        yield made[0], made[1]


def judge(built: Path) -> rfserial.Receiver:
    """Return a receiver of the host with the key that only the boards have."""
    text = (built / "receiver" / "record.h").read_text(encoding="utf-8")
    record = bytes.fromhex("".join(re.findall(r"0x([0-9a-f]{2})[, \n]", text)))
    return rfserial.Receiver(
        "sealed",
        key=record[12:28],
        direction=1 - record[5],
        packet_size=record[6],
        tag_size=record[7],
        counter_size=record[8],
        link=int.from_bytes(record[10:12], "big"),
    )


def readings(receiver: rfserial.Receiver, sent: bytes) -> int:
    """Return how many readings are in what the sensor sent."""
    found = [
        event for event in receiver.feed(sent) if isinstance(event, rfserial.Message)
    ]
    return sum(event.payload.endswith(b" mV") for event in found)


def carry(sensor: Board, receiver: Board, enough: int) -> tuple[bytes, bytes]:
    """Be the wire until the receiver has shown so much, or nothing comes any more."""
    sent, shown = b"", b""
    end_s = time.monotonic() + WAIT_S
    while shown.count(b"\n") < enough and time.monotonic() < end_s:
        new = sensor.heard(0.02)
        os.write(receiver.wire, new)
        sent += new
        shown += receiver.heard(0.0)
    return sent, shown


def rest(receiver: Board) -> bytes:
    """Return what a receiver still shows, until it is silent."""
    shown = b""
    while new := receiver.heard(SILENT_S):
        shown += new
    return shown


@pytest.mark.slow
def test_one_sends_and_the_other_opens(
    boards: tuple[Board, Board], built: Path
) -> None:
    sensor, receiver = boards
    with receiver.alive(WAIT_S), sensor.alive(WAIT_S):
        sent, shown = carry(sensor, receiver, 4)
    assert LINE.sub(b"", shown) == b""
    assert readings(judge(built), sent) == shown.count(b"\n") == 4


@pytest.mark.slow
def test_nothing_is_shown_twice_over_power_cuts(
    boards: tuple[Board, Board], built: Path
) -> None:
    """All that was ever sent is sent again to a receiver that had a reset."""
    sensor, receiver = boards
    everything, shown, judged = b"", b"", judge(built)
    for seed in range(3):
        with receiver.alive(WAIT_S), sensor.alive(WAIT_S, seed):
            sent, lines = carry(sensor, receiver, 2)
            shown += lines + rest(receiver)
        everything += sent
    assert LINE.sub(b"", shown) == b""
    assert 6 <= shown.count(b"\n") <= readings(judged, everything)
    with receiver.alive(WAIT_S):
        os.write(receiver.wire, everything)
        # A genuine message afterwards tells that it is awake.
        with sensor.alive(WAIT_S):
            sent, lines = carry(sensor, receiver, 1)
        lines += rest(receiver)
        # What comes before its UART is on is lost.
        assert 1 <= lines.count(b"\n") <= readings(judged, sent)
        os.write(receiver.wire, everything + sent)
        assert rest(receiver) == b""


@pytest.mark.slow
def test_what_was_changed_on_the_wire_is_not_shown(
    boards: tuple[Board, Board], built: Path
) -> None:
    """Each unit has a bit changed, then comes as it was sent: that is shown."""
    sensor, receiver = boards
    judged, held = judge(built), b""
    with receiver.alive(WAIT_S):
        with sensor.alive(WAIT_S):
            readings(judged, carry(sensor, receiver, 1)[0])
            rest(receiver)
            count = 0
            while count < 2:
                new = sensor.heard(1.0)
                held += new
                count += readings(judged, new)
        changed = bytes(byte ^ (place % 12 == 7) for place, byte in enumerate(held))
        os.write(receiver.wire, changed)
        assert rest(receiver) == b""
        os.write(receiver.wire, held)
        assert 1 <= rest(receiver).count(b"\n") <= count
