# SPDX-License-Identifier: Apache-2.0
"""The emulated serial radios, in virtual time; at the end once in real time."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
import serial
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import assert_done, assert_misuse, samara

from samara.link import rfserial
from samara.link.rfserial import modem
from samara.link.rfserial.modem import Air, Pair, Side
from samara.link.rfserial.modem_commands import (
    AIR_RATES,
    UART_RATES,
    CommandMode,
    Settings,
)
from samara.link.rfserial.modem_ports import PortError, Ports
from samara.link.rfserial.receipts import Line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FAST = Settings(baud=115_200)


def carried(pair: Pair, data: bytes, side: Side = Side.A) -> bytes:
    """Return what comes out of the other modem, however long it takes."""
    pair.write(side, data)
    outputs = pair.advance(pair.now_s + 1000)
    return b"".join(out.data for out in outputs if out.side is side.other)


def answers_of(pair: Pair, *commands: bytes, side: Side = Side.A) -> bytes:
    """Enter command mode after a second, and return all answers."""
    answers = pair.advance(pair.now_s + 1.5)
    pair.write(side, b"+++" + b"".join(command + b"\r" for command in commands))
    answers = pair.advance(pair.now_s + 1)
    return b"".join(out.data for out in answers if out.side is side)


@given(
    # After silence, guard characters are kept back.
    data=st.binary(max_size=600).filter(lambda data: data[:1] != b"+"),
    packet_size=st.integers(1, 240),
    baud=st.sampled_from(UART_RATES),
    timeout_ms=st.sampled_from([0, 16, 100]),
    air_rate=st.sampled_from(list(AIR_RATES)),
)
def test_time(
    data: bytes, packet_size: int, baud: int, timeout_ms: int, air_rate: int
) -> None:
    """Delivery takes as long as receipts compute, to the microsecond."""
    chosen = Settings(
        baud=baud, packet_size=packet_size, timeout_ms=timeout_ms, air_rate=air_rate
    )
    line = Line(
        baud=baud,
        packet_size=packet_size,
        timeout_s=timeout_ms / 1000,
        air_rate=AIR_RATES[air_rate],
        packet_overhead=modem.PACKET_OVERHEAD,
    )
    pair = Pair(chosen)
    pair.write(Side.A, data)
    outputs = pair.advance(1e6)
    # Without a time-out, every byte is a packet of its own.
    if timeout_ms:
        assert [len(out.data) for out in outputs] == line.packets(len(data))
    if data and timeout_ms:
        assert outputs[-1].time_s == pytest.approx(line.delivery_s(len(data)), abs=1e-6)
    assert b"".join(out.data for out in outputs) == data
    assert pair.next_event_s is None


def test_padding_saves_the_time_out() -> None:
    """The paper's figure 5: a filled packet is not held back."""
    pair = Pair(Settings(baud=115_200, timeout_ms=100))
    pair.write(Side.A, b"Mary had a little lamb")
    waited = pair.advance(10)
    pair.write(Side.A, b"Mary had a little lamb++")
    full = pair.advance(20)
    assert waited[-1].time_s > 0.1
    assert full[-1].time_s - 10 < 0.01
    assert pair.statistics(Side.A).packets_not_full == 1


def test_both_ways() -> None:
    """One packet is on the air at a time."""
    pair = Pair(FAST)
    pair.write(Side.A, bytes(12))
    pair.write(Side.B, bytes(12))
    outputs = pair.advance(1)
    assert [out.side for out in outputs] == [Side.B, Side.A]
    on_air_s = modem.air_time_s(12, FAST, Air())
    assert outputs[1].time_s - outputs[0].time_s == pytest.approx(on_air_s)


def test_commands() -> None:
    """Every command answers, sets what it should, and refuses what cannot be."""
    pair = Pair(Settings())
    assert answers_of(pair, b"ATID", b"ATCN", b"ATBD", b"ATDR", b"ATPK", b"ATRO") == (
        b"OK\r5AA5\rOK\r0\rOK\r2580\rOK\r1\rOK\r0C\rOK\r10\rOK\r"
    )
    pair.write(Side.A, b"ATEE\rATEK\r")
    answers = pair.advance(pair.now_s + 1)
    assert b"".join(out.data for out in answers) == (
        b"0\rOK\r000102030405060708090A0B0C0D0E0F\rOK\r"
    )
    pair.write(Side.A, b"ATDN\r")
    pair.advance(pair.now_s + 1)
    assert answers_of(pair, b"ATRO 64", b"atpk f0", b"AT", b"ATDN") == b"OK\r" * 5
    assert pair.settings(Side.A).timeout_ms == 100
    assert pair.settings(Side.A).packet_size == 240
    refused = (
        b"ATPK 0",
        b"ATPK F1",
        b"ATBD 1",
        b"ATDR 9",
        b"ATZZ",
        b"hello",
        b"ATDN 1",
    )
    assert answers_of(pair, *refused) == b"OK\r" + b"ERR\r" * len(refused)


def test_applied_and_stored() -> None:
    """Rates wait for ATAC; what is not stored is gone with the power."""
    pair = Pair(Settings())
    answers_of(pair, b"ATBD 1C200", b"ATPK 20")
    assert (pair.settings(Side.A).baud, pair.settings(Side.A).packet_size) == (9600, 32)
    pair.write(Side.A, b"ATAC\r")
    pair.advance(pair.now_s + 1)
    assert pair.settings(Side.A).baud == 115_200
    pair.switch_off_and_on(Side.A)
    assert pair.settings(Side.A) == Settings()
    answers_of(pair, b"ATPK 20", b"ATWR", b"ATDN")
    pair.switch_off_and_on(Side.A)
    assert pair.settings(Side.A).packet_size == 32


def test_guard() -> None:
    """Command mode needs a second of silence; pluses in a message stay there."""
    pair = Pair(FAST)
    assert carried(pair, b"x") == b"x"
    pair.write(Side.A, b"y")
    pair.advance(pair.now_s + 0.5)
    assert carried(pair, b"+++ATPK\r") == b"+++ATPK\r"
    # After silence they are kept back until it is known what they are.
    for message in (b"+", b"++", b"+5 C", b"++-"):
        assert carried(pair, message) == message
    assert answers_of(pair, b"AT", b"ATDN") == b"OK\r" * 3
    assert carried(pair, b"z") == b"z"


def test_command_mode_ends() -> None:
    """After five seconds of silence, bytes are messages again."""
    pair = Pair(FAST)
    assert answers_of(pair, b"AT") == b"OK\rOK\r"
    pair.advance(pair.now_s + 3.9)
    pair.write(Side.A, b"AT\r")
    assert [out.data for out in pair.advance(pair.now_s + 0.1)] == [b"OK\r"]
    pair.advance(pair.now_s + 5)
    assert carried(pair, b"AT\r") == b"AT\r"


@pytest.mark.parametrize(
    "command", [b"ATID 1234", b"ATCN 1", b"ATDR 2", b"ATEE 1", b"ATEK 1"]
)
def test_not_heard(command: bytes) -> None:
    """Modems that are set differently do not hear each other."""
    pair = Pair(FAST)
    answers_of(pair, b"ATEE 1", command, b"ATAC", b"ATDN")
    if command.startswith(b"ATEK"):
        answers_of(pair, b"ATEE 1", b"ATDN", side=Side.B)
    assert carried(pair, b"hello") == b""
    assert pair.statistics(Side.B).not_heard == 1
    answers_of(pair, b"ATEE 1", command, b"ATAC", b"ATDN", side=Side.B)
    assert carried(pair, b"hello") == b"hello"


def test_too_long() -> None:
    """A packet longer than the receiver's own size is dropped."""
    pair = Pair(FAST)
    answers_of(pair, b"ATPK F0", b"ATDN")
    assert carried(pair, bytes(13)) == b""
    assert carried(pair, bytes(12)) == bytes(12)
    assert pair.statistics(Side.B).too_long == 1
    assert carried(pair, bytes(240), Side.B) == bytes(240)


def test_statistics_add_up() -> None:
    pair = Pair(FAST)
    assert carried(pair, bytes(30)) == bytes(30)
    assert carried(pair, bytes(12)) == bytes(12)
    on_air_s = [modem.air_time_s(size, FAST, Air()) for size in (12, 12, 6, 12)]
    sent, heard = (pair.statistics(side) for side in Side)
    assert (sent.packets_sent, sent.packets_not_full, sent.bytes_in) == (4, 1, 42)
    assert sent.air_s == pytest.approx(sum(on_air_s))
    assert (heard.packets_received, heard.bytes_out) == (4, 42)
    assert (heard.bytes_in, heard.packets_sent, sent.bytes_out) == (0, 0, 0)


def test_in_command_mode_nothing_is_heard() -> None:
    pair = Pair(FAST)
    assert answers_of(pair, side=Side.B) == b"OK\r"
    assert carried(pair, bytes(12)) == b""
    # It has left that by itself meanwhile.
    assert pair.statistics(Side.B).not_heard == 1
    assert carried(pair, bytes(12)) == bytes(12)


@pytest.mark.parametrize(
    "other",
    [
        Settings(pan=1),
        Settings(channel=1),
        Settings(air_rate=2),
        Settings(encryption=1),
    ],
)
def test_who_hears_whom(other: Settings) -> None:
    usual = Settings()
    assert usual.hears(Settings(baud=115_200, packet_size=1, timeout_ms=0, key=1))
    assert not usual.hears(other)
    assert not other.hears(usual)
    assert other.hears(other)
    encrypted = Settings(encryption=1)
    assert not encrypted.hears(Settings(encryption=1, key=1))


def test_other_seeds_lose_other_packets() -> None:
    def lost(seed: int) -> bytes:
        pair = Pair(Settings(packet_size=1), Air(loss=0.5), seed)
        return carried(pair, bytes(range(100, 200)))

    assert lost(1) == lost(1)
    assert lost(1) != lost(2)


def test_limits_of_settings() -> None:
    pair = Pair(Settings())
    assert answers_of(pair, b"ATPK F0", b"ATPK F1", b"ATPK 0") == b"OK\rOK\rERR\rERR\r"
    assert pair.settings(Side.A).packet_size == 0xF0


def test_what_was_not_applied_is_forgotten() -> None:
    pair = Pair(Settings())
    assert answers_of(pair, b"ATDR 2", b"ATCN 5", b"ATDN") == b"OK\r" * 4
    assert pair.settings(Side.A) == Settings()
    assert answers_of(pair, b"ATDR", b"ATCN", b"ATDN") == b"OK\r1\rOK\r0\rOK\rOK\r"
    # What is stored is what was chosen, applied or not.
    assert answers_of(pair, b"ATDR 2", b"ATWR", b"ATDN") == b"OK\r" * 4
    assert pair.settings(Side.A).air_rate == 1
    pair.switch_off_and_on(Side.A)
    assert pair.settings(Side.A).air_rate == 2


def test_a_command_takes_no_memory() -> None:
    mode = CommandMode(Settings())
    for byte in b"AT" + b" " * 10_000:
        assert mode.take(byte) == (b"", False)
    assert len(mode._line) == 64  # noqa: SLF001
    assert mode.take(ord("\r"))[0] == b"OK\r"


@pytest.mark.slow
def test_ports_count_what_nobody_read_and_hold_back_who_is_fast() -> None:
    pair = Pair(FAST)
    with Ports(pair) as ports:
        # More than a terminal keeps, and nobody reads it.
        for _ in range(40):
            pair.write(Side.A, bytes(1200))
            ports._put(pair.now_s + 10)  # noqa: SLF001
        assert 0 < ports.overruns < 48_000
        assert ports._takes_more(Side.A)  # noqa: SLF001
        pair.write(Side.A, bytes(100_000))
        assert not ports._takes_more(Side.A)  # noqa: SLF001
        assert ports._takes_more(Side.B)  # noqa: SLF001


def test_links_of_others_are_left_alone(tmp_path: Path) -> None:
    link = tmp_path / "modem"
    with Ports(Pair(FAST), {Side.A: link}) as ports:
        assert str(link.readlink()) == ports.paths[0]
    assert not link.is_symlink()
    with Ports(Pair(FAST), {Side.A: link}):
        link.unlink()
        link.symlink_to("/elsewhere")
    assert link.is_symlink()


def test_links_have_one_modem(tmp_path: Path) -> None:
    link = tmp_path / "modem"
    with Ports(Pair(FAST), {Side.A: link}) as first:
        with pytest.raises(PortError, match=r"another modem is at .*modem: end it"):
            Ports(Pair(FAST), {Side.A: link})
        assert str(link.readlink()) == first.paths[0]
    assert not list(tmp_path.iterdir())
    # What a killed modem leaves: the link and an unlocked file.
    link.symlink_to("/elsewhere")
    (tmp_path / "modem.lock").touch()
    with Ports(Pair(FAST), {Side.A: link}) as second:
        assert str(link.readlink()) == second.paths[0]


@pytest.mark.slow
def test_loss() -> None:
    """Whole packets are lost, as often as told, and the same with the same seed."""
    data = bytes(range(12)) * 1000
    first = carried(Pair(FAST, Air(loss=0.1), seed=5), data)
    assert first == carried(Pair(FAST, Air(loss=0.1), seed=5), data)
    assert first != carried(Pair(FAST, Air(loss=0.1), seed=6), data)
    assert len(first) % 12 == 0
    assert 0.05 < 1 - len(first) / len(data) < 0.15


def test_bit_errors() -> None:
    """A checksum drops what is damaged; without one it is handed on."""
    data = bytes(12_000)
    pair = Pair(FAST, Air(bit_errors=0.001), seed=1)
    received = carried(pair, data)
    damaged = pair.statistics(Side.B).damaged
    assert received == bytes(12_000 - 12 * damaged)
    # 25 bytes of 8 bits each: 18 packets of 100 have an error.
    assert 100 < damaged < 270
    received = carried(Pair(FAST, Air(bit_errors=0.001, checksum=False)), data)
    assert len(received) == 12_000
    assert 40 < received.count(bytes(1)) < 12_000
    assert any(received)


@given(seed=st.integers(0, 1000), loss=st.sampled_from([0.0, 0.05, 0.3]))
@settings(max_examples=20)
def test_sealed_messages(seed: int, loss: float) -> None:
    """Messages in both directions at once: in order, genuine, counted when lost."""
    pair = Pair(FAST, Air(loss=loss, bit_errors=1e-4, checksum=seed % 2 == 0), seed)
    source = random.Random(seed)  # noqa: S311 - repeatable
    key = bytes(range(16))
    senders = [rfserial.Sender("sealed", key=key, direction=side) for side in Side]
    receivers = [
        rfserial.Receiver("sealed", key=key, direction=side.other, longest=300)
        for side in Side
    ]
    sent: list[list[bytes]] = [[], []]
    expected = [0, 0]
    for _ in range(40):
        side = Side(source.randrange(2))
        message = source.randbytes(source.randrange(120))
        sent[side].append(message)
        pair.write(side, senders[side].encode(message))
        for out in pair.advance(pair.now_s + source.random() / 20):
            for event in receivers[out.side].feed(out.data):
                check(event, sent[out.side.other], expected, out.side)
    for out in pair.advance(pair.now_s + 10):
        for event in receivers[out.side].feed(out.data):
            check(event, sent[out.side.other], expected, out.side)
    # Units are whole packets: none of them waited.
    assert all(pair.statistics(side).packets_not_full == 0 for side in Side)
    if loss == 0 and not any(pair.statistics(side).damaged for side in Side):
        assert expected == [len(sent[1]), len(sent[0])]


def check(
    event: rfserial.Event, sent: list[bytes], expected: list[int], side: Side
) -> None:
    """Compare an event with what was sent."""
    match event:
        case rfserial.Lost(count):
            expected[side] += count
        case rfserial.Message(number, payload, _):
            assert (number, payload) == (expected[side], sent[number])
            expected[side] += 1
        case rfserial.Repeated():
            pytest.fail("nothing was repeated")


class Station:
    """One end that is killed now and then, and goes on from what it stored."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.sent: dict[int, bytes] = {}
        self.delivered: list[int] = []
        self.reserved = 0
        self.stored = 0
        self.start()

    def start(self) -> None:
        """Begin beyond all numbers that may have been used."""
        key = bytes(range(16))
        self.sender = rfserial.Sender(
            "sealed", key=key, direction=self.side, counter=self.reserved
        )
        self.receiver = rfserial.Receiver(
            "sealed",
            key=key,
            direction=self.side.other,
            counter=self.stored,
            longest=200,
        )

    def encode(self, message: bytes) -> bytes:
        """Send a message, with numbers reserved a hundred at a time."""
        number = self.sender.counter
        self.reserved = max(self.reserved, number - number % 100 + 100)
        assert number not in self.sent
        self.sent[number] = message
        return self.sender.encode(message)

    def feed(self, data: bytes, other: Station) -> None:
        """Store the counter first, then take what arrived."""
        for event in self.receiver.feed(data):
            self.stored = self.receiver.counter
            if isinstance(event, rfserial.Message):
                assert event.payload == other.sent[event.number]
                assert not self.delivered or event.number > self.delivered[-1]
                self.delivered.append(event.number)


@pytest.mark.parametrize("seed", range(3))
def test_killed_and_attacked(seed: int) -> None:
    """No number is used twice, and none delivered twice, whatever happens.

    Both ends are killed at random; somebody on the line repeats, changes and cuts
    what was sent, and sends it back; the air loses packets.
    """
    source = random.Random(seed)  # noqa: S311 - repeatable
    pair = Pair(FAST, Air(loss=0.02), seed)
    stations = [Station(side) for side in Side]
    recorded: list[bytes] = []
    for _ in range(1500):
        side = Side(source.randrange(2))
        match source.randrange(20):
            case 0:
                stations[side].start()
            case 1 if recorded:
                pair.write(side, source.choice(recorded))
            case 2 if recorded:
                old = bytearray(source.choice(recorded))
                old[source.randrange(len(old))] ^= 1 << source.randrange(8)
                pair.write(side, bytes(old[source.randrange(3) :]))
            case _:
                message = source.randbytes(source.randrange(60))
                recorded.append(stations[side].encode(message))
                pair.write(side, recorded[-1])
        for out in pair.advance(pair.now_s + source.random() / 30):
            stations[out.side].feed(out.data, stations[out.side.other])
    for station in stations:
        received = len(stations[station.side.other].delivered)
        # Each of the others died by a lost packet, a kill or the attacker.
        assert received > 0.75 * len(station.sent)


def test_refused_settings() -> None:
    """Chances and settings that cannot be are named."""
    with pytest.raises(ValueError, match="loss is a chance"):
        Air(loss=1.5)
    with pytest.raises(ValueError, match="packet size of a modem is 1 to 240, not 241"):
        Settings(packet_size=241)
    with pytest.raises(ValueError, match="57600 or 115200, not 9601"):
        Settings(baud=9601)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `samara modem` with links in a folder of its own."""
    command = [sys.executable, "-m", "samara.cli", "modem", "--json"]
    links = ["--link-a", str(tmp_path / "a"), "--link-b", str(tmp_path / "b")]
    with subprocess.Popen(
        [*command, *links], stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def test_ports(running: subprocess.Popen[str], tmp_path: Path) -> None:
    """The ports carry messages in real time, and leave nothing behind."""
    assert running.stdout is not None
    described = json.loads(running.stdout.readline())
    assert described["ports"] == [str(tmp_path / "a"), str(tmp_path / "b")]
    key = bytes(range(16))
    sender = rfserial.Sender("sealed", key=key)
    receiver = rfserial.Receiver("sealed", key=key)
    with serial.Serial(described["ports"][0], 115_200, timeout=60) as port_a:
        with serial.Serial(described["ports"][1], 115_200, timeout=60) as port_b:
            for text in (b"short", bytes(2000)):
                unit = sender.encode(text)
                port_a.write(unit)
                # However late the emulator gets to work, no packet waits in vain.
                running.send_signal(signal.SIGSTOP)
                time.sleep(0.1)
                running.send_signal(signal.SIGCONT)
                events = receiver.feed(port_b.read(len(unit)))
                assert [e.payload for e in events] == [text]  # type: ignore[union-attr]
        # A program that comes later finds the modem at work.
        with serial.Serial(described["ports"][1], 115_200, timeout=60) as port_b:
            port_b.write(bytes(12))
            assert port_a.read(12) == bytes(12)
    running.send_signal(signal.SIGINT)
    statistics = json.loads(running.stdout.read())
    assert running.wait(60) == 0
    assert statistics["a"]["packets_not_full"] == 0
    assert statistics["b"]["bytes_in"] == 12
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--baud", "9601"], "9600, 31250"),
        (["--air-rate", "5"], "250000, 38400"),
        (["--loss", "110%"], "'--loss': expected 0 to 1, not"),
        (["--packet-size", "241"], "'--packet-size': expected 1 to 240 bytes"),
        (["--timeout-ms", "65536"], "'--timeout-ms': expected 0 to 65,535 milli"),
        (["--bit-errors", "1.5"], "'--bit-errors': expected 0 to 1, not"),
        (["--link-a", "there"], "cannot be made a link"),
    ],
)
def test_misuse_is_refused(arguments: list[str], words: str, tmp_path: Path) -> None:
    """In one sentence; a file that is there is not replaced by a link."""
    (tmp_path / "there").write_text("mine")
    assert_misuse(samara("modem", *arguments, folder=tmp_path), words)
    assert (tmp_path / "there").read_text() == "mine"


def test_assumptions_are_listed(tmp_path: Path) -> None:
    """As a table and as JSON; every one has a reason."""
    done = samara("modem", "--assumptions", "--json", folder=tmp_path)
    listed = [json.loads(line) for line in assert_done(done).splitlines()]
    names = " ".join(row["name"] for row in listed)
    for word in ("preamble", "checksum", "retries"):
        assert word in names
    assert all(row["assumed"] and row["why"] for row in listed)
    table = assert_done(samara("modem", "--assumptions", folder=tmp_path))
    assert b"not published" in table
