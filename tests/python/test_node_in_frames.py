# SPDX-License-Identifier: Apache-2.0
"""A device of core/node with frames of IEEE 802.15.4, and the host's node.

The device is a program of its own, whose power is cut by killing it. The host's node
judges what it sends, and tshark.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from quiet_air import Air, Radio, quiet_air

from samara.errors import MisuseError
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.node import exporting
from samara.link.node import folder as folders
from samara.link.node.node import Lost, Node, NotAcknowledgedError, Received, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.node.node import Event

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "core" / "include"
ROOM = 1500
"""Bytes of the longest message that the device takes in parts."""


class Kind(IntEnum):
    """`samara_node_event_kind`."""

    NOTHING = 0
    MESSAGE = 1
    AGAIN = 2
    ACKNOWLEDGED = 3
    REPLAY = 4
    NOTICE = 5
    UNKNOWN = 6
    PART = 7


@dataclass(frozen=True)
class DeviceEvent:
    """An event of the device."""

    kind: Kind
    id: int
    status: int
    lost: int
    wants_acknowledgement: bool
    message: bytes

    @classmethod
    def of(cls, words: list[str]) -> DeviceEvent:
        kind, number, status, lost, wants = map(int, words[:5])
        message = bytes.fromhex(words[5] if len(words) > 5 else "")
        return cls(Kind(kind), number, status, lost, bool(wants), message)


class Device:
    """The program, and its radio in the air."""

    def __init__(self, program: Path, air: Air, *, answers: bool = True) -> None:
        self.program, self.air, self.answers = program, air, answers
        self.radio = type("RadioOfTheDevice", (Radio,), {"air": air})("", 0)
        self.events: list[DeviceEvent] = []
        self.id = 0
        self.start()

    def start(self) -> None:
        """Let the device begin a life."""
        self.process = subprocess.Popen(
            [self.program, self.program.with_suffix(".memory")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._lines() == 0

    def cut_power(self) -> None:
        """End a life, wherever it is."""
        self.process.kill()
        self.process.communicate()

    def tell(self, command: str) -> int:
        """Give a command; return its result."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        return self._lines()

    def _lines(self) -> int:
        assert self.process.stdout is not None
        while True:
            name, *words = self.process.stdout.readline().split()
            if name == "frame":
                self.radio.transmit(bytes.fromhex(words[0]))
            elif name == "event":
                self.events.append(DeviceEvent.of(words))
            elif name == "id":
                self.id = int(words[0])
            else:
                return int(words[0])

    def receive(self) -> None:
        """Take what has arrived, and acknowledge what wants it."""
        heard, self.radio.waiting = self.radio.waiting, []
        for psdu in heard:
            assert self.tell(f"frame {psdu[:-2].hex()}") == 0
            if self.events[-1].wants_acknowledgement and self.answers:
                assert self.tell("ack") == 0

    def messages(self) -> list[bytes]:
        return [each.message for each in self.events if each.kind == Kind.MESSAGE]


@dataclass
class Pair:
    """The host's node and the device."""

    node: Node
    device: Device
    air: Air
    folder: Path


def built(host: Path) -> Path:
    """Compile the device of a pair, as its user does."""
    folder = host.parent
    request = exporting.ExportRequest(pair=host, output=folder / "record.h")
    list(exporting.export(request))
    library = Path(sys.prefix) / "lib" / "libsamara.a"
    flags = ["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror"]
    folders_ = [f"-I{folder}", f"-I{CORE}"]
    source = str(HERE / "device_in_frames.c")
    program = folder / "device"
    command = ["cc", *flags, *folders_, source, str(library), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return quiet_air(monkeypatch)


@contextmanager
def paired(folder: Path, air: Air, **given: object) -> Iterator[Pair]:
    host = folder / "host"
    folders.make_pair(host, "ieee802154", given)
    device = Device(built(host), air)
    air.when_idle = device.receive
    try:
        with Node(host) as node:
            yield Pair(node, device, air, folder)
    finally:
        device.cut_power()


@pytest.fixture
def pair(tmp_path: Path, air: Air) -> Iterator[Pair]:
    with paired(tmp_path, air) as made:
        yield made


@pytest.mark.parametrize(
    "given",
    [
        {"level": 1, "key_id_mode": 0, "addresses": "extended"},
        {"level": 5, "key_id_mode": 1, "frame_version": 2015},
        {"level": 6, "key_id_mode": 2, "suite": "aes256"},
        {"level": 7, "key_id_mode": 3, "suite": "ascon-aead128"},
        {"level": 6, "suite": "grain128aead", "addresses": "extended",
         "frame_version": 2015},
        {"level": 3, "key_id_mode": 3, "suite": "speck128-256"},
    ],
    ids=lambda given: "-".join(map(str, given.values())),
)  # fmt: skip
def test_messages_of_all_forms_both_ways(
    given: dict[str, Any], tmp_path: Path, air: Air
) -> None:
    with paired(tmp_path, air, **given) as pair:
        longest = pair.node.link.payload_size
        for size in (0, 1, longest, longest + 1, 3 * longest):
            exchange(pair, bytes(range(256))[: size % 256].ljust(size, b"\xf5"))
    assert all(each.lost == 0 for each in pair.device.events)
    assert air.nonces_repeated() == 0


def exchange(pair: Pair, message: bytes) -> None:
    """Send a message both ways, with and without an acknowledgement."""
    assert pair.device.tell(f"send {message.hex()}") == 0
    assert pair.device.tell(f"confirm 0 {message.hex()}") == 0
    events = pair.node.receive(0)
    assert [each.message for each in events if isinstance(each, Received)] == (
        [message] * 2
    )
    assert pair.node.confirm() == []
    pair.device.receive()
    event = pair.device.events[-1]
    assert (event.kind, event.status) == (Kind.ACKNOWLEDGED, 0)
    pair.node.send(message, acknowledged=True)
    pair.node.send(message)
    pair.device.receive()
    assert pair.device.messages()[-2:] == [message] * 2


def loses(air: Air, gone: int) -> None:
    """Lose the frame with this number."""
    air.arrives = lambda number: number != gone


def test_parts_that_are_lost_are_sent_again(pair: Pair) -> None:
    """From the host: each part of a message once, and each acknowledgement once."""
    message = bytes(range(200)) * 2
    for lost in range(6):
        first = len(pair.air.sent)
        loses(pair.air, first + lost)
        pair.node.send(message, acknowledged=True)
    assert pair.device.messages() == [message] * 6


def test_parts_of_the_device_that_are_lost(pair: Pair) -> None:
    message = bytes(range(200)) * 2
    for lost in range(4):
        first = len(pair.air.sent)
        loses(pair.air, first + lost)
        pair.device.events.clear()
        assert pair.device.tell(f"confirm 0 {message.hex()}") == 0
        received: list[Event] = []
        for _ in range(3):
            received += [*pair.node.receive(0), *pair.node.confirm()]
            pair.device.receive()
            done = [each for each in pair.device.events if each.status == 0]
            if done and done[-1].kind == Kind.ACKNOWLEDGED:
                break
            command = f"confirm {pair.device.id} {message.hex()}"
            assert pair.device.tell(command) == 0
        assert [each.message for each in received if isinstance(each, Received)] == [
            message
        ]
        assert done[-1].id == pair.device.id


def test_a_message_that_is_too_long_is_refused_at_once(pair: Pair) -> None:
    before = len(pair.air.sent)
    with pytest.raises(NotAcknowledgedError, match="does not know it"):
        pair.node.send(bytes(ROOM + 1), acknowledged=True)
    assert len(pair.air.sent) - before < 20
    pair.node.send(bytes(ROOM), acknowledged=True)
    assert pair.device.messages() == [bytes(ROOM)]


def test_cut_power_repeats_no_nonce_and_is_no_loss(pair: Pair) -> None:
    events: list[Event] = []
    for life in range(12):
        for number in range(life % 6):
            assert pair.device.tell(f"send {life:02x}{number:02x}") == 0
        events += pair.node.receive(0)
        pair.node.send(b"to the device", acknowledged=True)
        pair.device.cut_power()
        pair.device.start()
    assert len([each for each in events if isinstance(each, Received)]) == 30
    assert not [each for each in events if isinstance(each, Lost | Refused)]
    assert pair.device.messages() == [b"to the device"] * 12
    assert pair.air.nonces_repeated() == 0


def test_a_message_is_given_out_once_over_a_reset(pair: Pair) -> None:
    """The device has it, and loses its power before it says so."""
    pair.device.answers = False
    with pytest.raises(NotAcknowledgedError, match="no acknowledgement"):
        pair.node.send(b"open the valve", acknowledged=True, retries=0)
    pair.device.cut_power()
    pair.device.start()
    pair.device.answers = True
    request = pair.air.sent[-1]
    pair.air.hear_again(request)
    pair.device.receive()
    assert pair.device.events[-1].kind == Kind.REPLAY
    assert pair.device.messages() == [b"open the valve"]


def test_replays_both_ways(pair: Pair) -> None:
    assert pair.device.tell("send 01") == 0
    assert len(pair.node.receive(0)) == 1
    pair.node.send(b"2", acknowledged=True)
    messages = pair.device.messages()
    for psdu in list(pair.air.sent):
        pair.air.hear_again(psdu)
        pair.device.receive()
        assert all(isinstance(each, Refused) for each in pair.node.receive(0))
    assert pair.device.messages() == messages
    assert Kind.REPLAY in {each.kind for each in pair.device.events}


def test_forged_frames_and_those_of_others_are_nothing(pair: Pair) -> None:
    pair.device.air = Air()
    pair.node.send(b"genuine")
    (psdu,) = pair.device.radio.waiting
    frame = psdu[:-2]
    changed = [
        frame[:at] + bytes([frame[at] ^ 1 << bit]) + frame[at + 1 :]
        for at in range(len(frame))
        for bit in range(8)
    ]
    short = [frame[:size] for size in range(len(frame))]
    for each in [*changed, *short]:
        assert pair.device.tell(f"frame {each.hex()}") == 0
    assert {each.kind for each in pair.device.events} == {Kind.NOTHING}
    assert pair.device.tell(f"frame {frame.hex()}") == 0
    assert pair.device.messages() == [b"genuine"]


def test_tshark_opens_its_frames(tmp_path: Path, air: Air) -> None:
    with paired(tmp_path, air, level=6) as pair:
        assert pair.device.tell(f"send {b'21.5 C'.hex()}") == 0
    settings = folders.read(tmp_path / "host").end.settings
    key = folders.read(tmp_path / "host").end.keys["key"].hex()
    short, extended = (settings["peer"][form] for form in ("short", "extended"))
    pan = settings["pan"]
    path = tmp_path / "air.pcap"
    frame = air.sent[0][:-2]

    def dissected(frame: bytes) -> str:
        with path.open("wb") as file:
            Writer(file, LinkType.WITH_FCS).write_psdu(frame + fcs_of(frame), 0)
        return subprocess.run(
            ["tshark", "-r", path, "-o", f'uat:ieee802154_keys:"{key}","1","No hash"',  # noqa: S607 - Debian's
             "-o", f'uat:802154_addresses:"{short}","{pan}",{extended}',
             *("--disable-protocol", "lwm", "--disable-protocol", "6lowpan"),
             "-Tfields", "-ewpan.frame_type", "-ewpan.key_number", "-edata.data"],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip

    assert dissected(frame) == f"0x0001\t0\t{b'21.5 C'.hex()}\n"
    # No key number: the MIC is wrong.
    forged = frame[:-1] + bytes([frame[-1] ^ 1])
    assert dissected(forged).startswith("0x0001\t\t")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"level": 0}, "--level 5, 6 or 7"),
        ({"level": 4}, "--level 5, 6 or 7"),
        ({"mac": "box-mac-2", "wake_up": "125ms"}, "--mac always-listening"),
        ({"frame_version": 2015, "frame_retries": 3}, "--frame-version 2006"),
    ],
)
def test_pairs_that_no_device_can_be_in(
    given: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    host = tmp_path / "host"
    folders.make_pair(host, "ieee802154", given, allow_unauthenticated=True)
    request = exporting.ExportRequest(pair=host, output=tmp_path / "record.h")
    with pytest.raises(MisuseError, match=problem):
        list(exporting.export(request))
    assert (host / folders.PAIR).exists()
