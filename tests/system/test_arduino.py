# SPDX-License-Identifier: Apache-2.0
"""The Arduino library, by somebody who has its archive alone.

Sketches run on boards of libsimavr, whose power fails, beside nodes of the host.
"""

from __future__ import annotations

import io
import os
import random
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from arduino import BOARDS, board_of, compiled, printed_lines, running
from links import Cable, Running, listening
from package_builds import expected, unpacked
from programs import ROOT, run
from quiet_air import Air, Radio, quiet_air
from receivers import receiver_of
from shell import samara

from samara.link import rfserial
from samara.link.node import exporting
from samara.link.node import folder as folders
from samara.link.node.node import Node, Received
from source_packages.core import version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware_boards import BoardRun

PACKAGE = ROOT / "tools" / "package"
EXCHANGE = ROOT / "tests" / "package" / "arduino" / "exchange.ino"
FRAMES = EXCHANGE.with_name("frames.ino")
EXAMPLES = ("KnownAnswer", "Provision", "Receiver", "Sender")
# Of the sources of Arduino itself.
NOT_OURS = "/usr/share/arduino/"

POWER_CYCLES = 30
UNIT = 24
"""Bytes of one with a message of up to 3 bytes to be acknowledged: two packets."""
NOTICE = b"\xf5\x01"
"""By it a node tells that it was interrupted (docs/nodes.md)."""


def terminal(path: str) -> io.FileIO:
    """Open a terminal, which does not become that of this process."""
    return io.FileIO(os.open(path, os.O_RDWR | os.O_NOCTTY), "rb+")


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory of libraries with ours alone."""
    made = tmp_path_factory.mktemp("made")
    run(PACKAGE, "arduino", "--out", made)
    folder = tmp_path_factory.mktemp("libraries")
    unpacked(made / f"samara-arduino-{version()}.zip", folder)
    return folder


@pytest.fixture(scope="module", params=BOARDS)
def board(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def build(board: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp(board)


@dataclass(frozen=True)
class Sketches:
    """Sketches for a board, and the node at the other end of its link."""

    board: str
    libraries: Path
    build: Path
    folder: Path
    """Of the sketches: each has the record of the board if it takes one."""
    host: Path

    @property
    def eeprom(self) -> Path:
        return self.folder / "eeprom"

    def compiled(self, source: Path, *, with_record: bool = False) -> Path:
        """Compile a sketch as its user does, without a warning."""
        place = self.folder / source.stem
        place.mkdir(exist_ok=True)
        shutil.copy(source, place)
        if with_record:
            shutil.copy(self.folder / "record.h", place)
        sketch = place / source.name
        program, said = compiled(sketch, self.board, self.libraries, self.build)
        assert our_warnings(said) == []
        kept = self.folder / program.name
        shutil.copy(program, kept)
        return kept

    def example(self, name: str) -> Path:
        """Compile an example."""
        source = self.libraries / "samara" / "examples" / name / f"{name}.ino"
        return self.compiled(source, with_record=name == "Provision")

    def run(
        self, program: Path, seconds: float, seed: int = 0, port: Path | None = None
    ) -> BoardRun:
        """Run a program until the power fails, after so many seconds."""
        return board_of(self.board).run(program, self.eeprom, seconds, seed, port)


@pytest.fixture
def sketches(board: str, libraries: Path, build: Path, tmp_path: Path) -> Sketches:
    host = tmp_path / "host"
    folders.make_pair(host, "rf-serial", {"port": "/dev/null", "baud": 9600})
    export(host, tmp_path / "record.h")
    return Sketches(board, libraries, build, tmp_path, host)


def export(host: Path, record: Path) -> None:
    list(exporting.export(exporting.ExportRequest(pair=host, output=record)))


def test_no_example_is_forgotten(libraries: Path) -> None:
    folder = libraries / "samara" / "examples"
    assert {path.name for path in folder.iterdir()} == set(EXAMPLES)


def our_warnings(said: str) -> list[str]:
    """Return the warnings of a compiler, without those about Arduino's sources."""
    lines = (line for line in said.splitlines() if "warning:" in line)
    return [line for line in lines if not line.startswith(NOT_OURS)]


def test_a_board_gives_the_known_answer(
    board: str, build: Path, libraries: Path
) -> None:
    sketch = libraries / "samara" / "examples" / "KnownAnswer" / "KnownAnswer.ino"
    program, _ = compiled(sketch, board, libraries, build)
    first, second = printed_lines(program, board, "opened")
    sealed, opened = expected()
    assert (first.lower(), second) == (sealed, opened)
    # The comment of the example has it for who compares by eye.
    assert f"//     {first}\n//     {second}\n" in sketch.read_text(encoding="utf-8")


def test_what_is_refused_and_why(sketches: Sketches) -> None:
    program = sketches.compiled(EXCHANGE, with_record=True)
    text, _, _ = sketches.run(program, 3).sent.partition(b"end\r\n")
    # SAMARA_LINK_NOT_READY, and errors of samara/store.h and samara/node.h.
    not_ready, blank, record, adopted = (
        b"false 1",
        b"false -128",
        b"false -160",
        b"false -162",
    )
    before_begin = [not_ready] * 4
    adopted_once = [b"true 0", adopted, not_ready, b"true 0"]
    forgotten = [b"true 0", not_ready, blank, b"true 0"]
    assert text.split(b"\r\n")[:-1] == [
        *before_begin, blank, record, *adopted_once, *forgotten
    ]  # fmt: skip


def test_power_cuts_repeat_no_number(sketches: Sketches) -> None:
    """In the middle of writes to the EEPROM, too."""
    program = sketches.compiled(EXCHANGE, with_record=True)
    chance = random.Random(sketches.board)  # noqa: S311 - the same in each run
    receiver, numbers, torn = receiver_of(sketches.host), list[int](), 0
    for seed in range(POWER_CYCLES):
        # The first run is long enough for the board to get its key.
        run = sketches.run(program, chance.uniform(0.1, 2) + 3 * (seed == 0), seed)
        torn += run.is_torn
        for event in receiver.feed(run.sent):
            assert not isinstance(event, rfserial.Repeated)
            if isinstance(event, rfserial.Message):
                assert event.payload.isdigit() or event.payload == NOTICE
                numbers.append(event.number)
    assert torn > POWER_CYCLES // 4
    assert len(numbers) > 10 * POWER_CYCLES
    # A power cut loses the rest of a record, and one more when that was torn.
    assert numbers[-1] < len(numbers) + 3 * 16 * POWER_CYCLES


def provisioned(sketches: Sketches, record: Path) -> bytes:
    """Upload Provision with a record, say to replace a key, and return its answers."""
    record.rename(sketches.folder / "record.h")
    program = sketches.example("Provision")
    with (
        Cable() as cable,
        terminal(cable.ports[1]) as monitor,
        running(program, sketches.board, sketches.eeprom, Path(cable.ports[0])),
    ):
        said = monitor.readline()
        if said != b"ready\r\n":
            monitor.write(b"r")
            said += monitor.readline()
    return said


@pytest.mark.parametrize("board", ["uno"], indirect=True)
def test_a_key_that_is_replaced(sketches: Sketches) -> None:
    """Counters go on, and the host of before is not understood any more."""
    sender = sketches.example("Sender")
    assert provisioned(sketches, sketches.folder / "record.h") == b"ready\r\n"
    sent = sketches.run(sender, 1.5).sent
    assert numbers_of(sketches.host, sent) == [0]
    other = sketches.folder / "other"
    folders.make_pair(other, "rf-serial", {"port": "/dev/null"})
    export(other, sketches.folder / "other.h")
    answers = provisioned(sketches, sketches.folder / "other.h").splitlines()
    assert (answers[0][:9], answers[1]) == (b"has a key", b"ready")
    sent = sketches.run(sender, 1.5).sent
    # A reset skips what was reserved: of the sender, and of Provision.
    assert numbers_of(other, sent) == [16, 17]
    assert numbers_of(sketches.host, sent) == []


def numbers_of(host: Path, sent: bytes) -> list[int]:
    """Return the numbers of what a new receiver of a host finds genuine."""
    events = receiver_of(host).feed(sent)
    return [each.number for each in events if isinstance(each, rfserial.Message)]


@contextmanager
def air(sketches: Sketches) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Run two modems; yield the board's port, and what a node of the host is told."""
    ports = [sketches.folder / f"modem-{end}" for end in "ab"]
    links = [f"--link-{end}={port}" for end, port in zip("ab", ports, strict=True)]
    with Running(sketches.folder, "modem", "--baud", "9600", *links) as modem:
        assert "two modems" in modem.next_message()
        yield ports[0], ("--port", str(ports[1]), "--baud", "9600")


@pytest.mark.parametrize("board", ["uno"], indirect=True)
def test_the_sender_and_a_node(sketches: Sketches) -> None:
    """Each reading arrives once, and is acknowledged, over a power cut."""
    assert sketches.run(sketches.example("Provision"), 2).sent == b"ready\r\n"
    program = sketches.example("Sender")
    with air(sketches) as (port, where):
        node = listening(sketches.folder, str(sketches.host), *where)
        with node:
            # More if the host is so busy that it acknowledges after 2 s. After the
            # power cut the board sends first that it has started again.
            for seed, units in ((0, 1), (2, 2)):
                run = sketches.run(program, 4, seed, port)
                assert run.counts.uart_bytes >= units * UNIT
            events = node.interrupted_after(2)
    received = [event for event in events if event["type"] == "received"]
    assert len(received) == 2
    assert all(event["text"].isdigit() for event in received)
    kinds = {"received", "notice", "lost", "repeated"}
    assert {event["type"] for event in events} <= kinds


@pytest.mark.parametrize("board", ["uno"], indirect=True)
def test_the_receiver_and_a_node(sketches: Sketches) -> None:
    assert sketches.run(sketches.example("Provision"), 2).sent == b"ready\r\n"
    program = sketches.example("Receiver")
    with (
        air(sketches) as (port, where),
        running(program, sketches.board, sketches.eeprom, port),
    ):
        for message in ("on", "hello"):
            words = ("node", "send", sketches.host, message, "--ack", *where)
            done = samara(*words, folder=sketches.folder)
            assert done.returncode == 0, done.stderr
        # What is sent back came before the acknowledgement of "hello".
        assert done.stdout.startswith(b"hello\n")


class FrameBoard:
    """A board whose radio is in an air of the test."""

    def __init__(self, air: Air, monitor: io.FileIO) -> None:
        self.monitor = monitor
        self.radio = type("RadioOfTheBoard", (Radio,), {"air": air})("", 0)

    def receive(self) -> None:
        """Hand over what has arrived, and send what the board answers."""
        heard, self.radio.waiting = self.radio.waiting, []
        for psdu in heard:
            self.monitor.write(psdu[:-2].hex().encode() + b"\n")
            while (line := self.monitor.readline()) != b"done\r\n":
                word, digits = line.split()
                assert word == b"frame", line
                self.radio.transmit(bytes.fromhex(digits.decode()))


def test_frames_and_a_node(sketches: Sketches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages there and back, acknowledged, in one frame and in parts."""
    host, air = sketches.folder / "frames-host", quiet_air(monkeypatch)
    folders.make_pair(host, "ieee802154", {"level": 6, "channel": 17})
    export(host, sketches.folder / "frames.h")
    (sketches.folder / "frames.h").rename(sketches.folder / "record.h")
    program = sketches.compiled(FRAMES, with_record=True)
    messages = [b"", b"21.5 C", bytes(range(250))]
    with (
        Cable() as cable,
        terminal(cable.ports[1]) as monitor,
        running(program, sketches.board, sketches.eeprom, Path(cable.ports[0])),
        Node(host) as node,
    ):
        assert monitor.readline() == b"ready 0 17\r\n"
        board = FrameBoard(air, monitor)
        air.when_idle = board.receive
        back = []
        for message in messages:
            node.send(message, acknowledged=True)
            back += [*node.receive(0), *node.confirm()]
    assert [each.message for each in back if isinstance(each, Received)] == messages
    assert air.nonces_repeated() == 0
