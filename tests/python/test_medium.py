# SPDX-License-Identifier: Apache-2.0
"""ZEP, captures and the medium, also against what nobody should send."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import socket
import struct
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import PROGRAM, TIMEOUT_S, assert_misuse, environment, samara

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Air, Conditions, air_time_s
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.captures.pcap import LinkType, PcapError, Reader, Writer
from samara.link.ieee802154.frames.fcs import fcs_of, is_intact

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAME = bytes.fromhex("41880122334455667768656c6c6f")
PSDU = FRAME + fcs_of(FRAME)
# A section of either byte order: header, interface of link type 195 that counts
# in 2^-10 s, a packet, a simple packet.
PCAPNG = b"".join(
    struct.pack(f"{order}II", kind, 12 + len(body))
    + body
    + struct.pack(f"{order}I", 12 + len(body))
    for order in "<>"
    for kind, body in (
        (0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1)),
        (
            1,
            struct.pack(f"{order}HHI", 195, 0, 0)
            + struct.pack(f"{order}HHB3xHH", 9, 1, 0x8A, 0, 0),
        ),
        (
            6,
            struct.pack(f"{order}5I", 0, 1, 0, len(PSDU), len(PSDU)) + PSDU,
        ),
        (3, struct.pack(f"{order}I", len(PSDU)) + PSDU),
    )
)
AT_ONCE = Conditions(paced=False)

# As RIOT's native nodes send it: version 2, type 1, channel 26, device 0x1234,
# CRC mode, LQI 255, NTP time, sequence 7, ten reserved bytes, length; and their
# hello, of type 255.
RIOT_DATA = (
    bytes.fromhex("4558 02 01 1a 1234 01 ff e0000000 00000000 00000007")
    + bytes(10)
    + bytes([len(PSDU)])
    + PSDU
)
RIOT_HELLO = b"EX\x02\xff" + bytes(17) + b"HELLO" + bytes(6)
ZEP_ACK = b"EX\x02\x02\x00\x00\x00\x07"


# ZEP


def test_packets_of_others_are_understood() -> None:
    packet = zep.parse(RIOT_DATA)
    assert isinstance(packet, zep.Data)
    assert packet.psdu == PSDU
    assert (packet.channel, packet.device, packet.sequence) == (26, 0x1234, 7)
    assert packet.has_fcs
    # 0xe0000000 s since 1900, as NTP counts, are 2019-02-02 11:39:44 UTC.
    assert packet.time_s == 1_549_107_584
    assert zep.parse(RIOT_HELLO) == zep.Hello()
    assert zep.parse(ZEP_ACK) == zep.Ack(7)


def test_packets_are_written_as_others_write_them() -> None:
    assert zep.PORT == 17754
    packet = zep.Data(PSDU, 7, device=0x1234, time_s=1_549_107_584)
    assert zep.build(packet) == RIOT_DATA
    assert zep.build(zep.Hello()) == RIOT_HELLO
    assert zep.build(zep.Ack(7)) == ZEP_ACK
    assert zep.Data(PSDU, 7) == zep.Data(PSDU, 7, 26, 0, True, 255, 0.0)  # noqa: FBT003 - all its defaults
    # The shortest hello that says what it is.
    assert zep.parse(RIOT_HELLO[:4]) == zep.Hello()


def test_a_sequence_number_begins_again_behind_its_end() -> None:
    before = time.time()
    packet = zep.data_now(PSDU, 2**32 + 7, 11)
    assert (packet.psdu, packet.sequence, packet.channel) == (PSDU, 7, 11)
    assert before <= packet.time_s <= time.time()


@given(
    st.binary(min_size=3, max_size=127),
    st.integers(0, 2**32 - 1),
    st.integers(0, 255),
    st.booleans(),
)
def test_packets_come_back(psdu: bytes, sequence: int, channel: int, fcs: bool) -> None:  # noqa: FBT001 - Hypothesis gives it
    packet = zep.Data(psdu, sequence, channel, has_fcs=fcs, time_s=1.5e9)
    assert zep.parse(zep.build(packet)) == packet
    for other in (zep.Ack(sequence), zep.Hello()):
        assert zep.parse(zep.build(other)) == other


@given(st.binary(max_size=200), st.booleans())
def test_other_bytes_are_refused_or_a_packet(data: bytes, begins_well: bool) -> None:  # noqa: FBT001 - Hypothesis gives it
    try:
        packet = zep.parse(b"EX\x02" + data if begins_well else data)
    except zep.ZepError:
        return
    assert isinstance(packet, (zep.Data, zep.Ack, zep.Hello))


@pytest.mark.parametrize(
    "datagram",
    [
        *(b"", b"EX", b"EX\x01\x01" + RIOT_DATA[4:], b"XX" + RIOT_DATA[2:]),
        *(RIOT_DATA[:-1], RIOT_DATA + b"\0", ZEP_ACK[:-1], b"EX\x02\x03"),
        *(RIOT_DATA[:32], RIOT_DATA[:31] + bytes([128]) + bytes(128)),
    ],
)
def test_what_is_not_zep_is_refused(datagram: bytes) -> None:
    with pytest.raises(zep.ZepError):
        zep.parse(datagram)


# The air


def test_a_frame_takes_its_bytes_and_six_more() -> None:
    assert air_time_s(127) == pytest.approx(133 * 8 / 250_000)


def test_frames_wait_for_each_other() -> None:
    air = Air(Conditions(delay_s=1.0))
    assert air.carry(0.0, 127) == pytest.approx(1.004256)
    assert air.carry(0.0, 127) == pytest.approx(1.008512)
    assert air.carry(5.0, 127) == pytest.approx(6.004256)


def test_an_acknowledgement_is_on_the_air_when_a_radio_sends_it() -> None:
    ends_s, slot_s = air_time_s(127), 192e-6 + air_time_s(5)
    air = Air(Conditions(delay_s=1.0))
    assert air.carry(0.0, 127, asks_ack=True) == pytest.approx(1 + ends_s)
    # Others wait for it, also if it does not come.
    second_s = 2 * ends_s + slot_s
    assert air.carry(0.0, 127, asks_ack=True) == pytest.approx(1 + second_s)
    # A node that hands it over in time, and one that does so later.
    assert air.carry_ack(ends_s + 1e-5, 5) == pytest.approx(1 + ends_s + slot_s)
    assert air.carry_ack(9.0, 5) == pytest.approx(10)
    # One that nobody asked for takes its time, as does what follows it.
    assert air.carry_ack(9.0, 5) == pytest.approx(10 + air_time_s(5))
    assert air.carry(9.0, 9) == pytest.approx(10 + air_time_s(5) + air_time_s(9))


def test_a_long_acknowledgement_delays_the_next_frame() -> None:
    air = Air(Conditions())
    air.carry(0.0, 20, asks_ack=True)
    ends_s = air_time_s(20)
    done_s = ends_s + 192e-6 + air_time_s(19)
    assert air.carry_ack(ends_s, 19) == pytest.approx(done_s)
    assert air.carry(ends_s, 20) == pytest.approx(done_s + air_time_s(20))


def test_an_acknowledgement_of_a_frame_on_the_air_is_none() -> None:
    air = Air(Conditions())
    air.carry(0.0, 127, asks_ack=True)
    slot_s = 192e-6 + air_time_s(5)
    at_s = air_time_s(127) + slot_s + air_time_s(5)
    assert air.carry_ack(1e-3, 5) == pytest.approx(at_s)


def test_what_nobody_set_changes_nothing() -> None:
    air = Air(Conditions())
    assert Conditions() == Conditions(
        paced=True, delay_s=0.0, loss=0.0, duplication=0.0, seed=0
    )
    assert air.carry(2.0, 9) == pytest.approx(2.00048)
    assert [air.copies() for _ in range(1000)] == [1] * 1000


def test_without_pace_frames_take_no_time() -> None:
    air = Air(Conditions(paced=False, delay_s=0.5))
    assert [air.carry(3.0, 127) for _ in range(2)] == [3.5, 3.5]


def test_certain_losses_and_copies_are_certain() -> None:
    for conditions, copies in (
        (Conditions(loss=1), 0),
        (Conditions(loss=1, duplication=1), 0),
        (Conditions(duplication=1), 2),
    ):
        air = Air(conditions)
        assert [air.copies() for _ in range(100)] == [copies] * 100


@pytest.mark.parametrize("name", ["loss", "duplication"])
@pytest.mark.parametrize("value", [-0.01, 1.01])
def test_what_is_no_probability_is_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} is a probability"):
        Conditions(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("delay_s", [-0.01, 60.01])
def test_a_delay_out_of_its_range_is_refused(delay_s: float) -> None:
    assert Conditions(delay_s=60).delay_s == 60
    with pytest.raises(ValueError, match="0 to 60 seconds"):
        Conditions(delay_s=delay_s)


def test_losses_repeat_with_their_seed_and_are_as_many_as_asked() -> None:
    def copies(seed: int) -> list[int]:
        air = Air(Conditions(loss=0.2, duplication=0.5, seed=seed))
        return [air.copies() for _ in range(10_000)]

    assert copies(1) == copies(1)
    assert copies(1) != copies(2)
    assert copies(1).count(0) == pytest.approx(2000, abs=200)
    assert copies(1).count(2) == pytest.approx(4000, abs=250)


# Captures


@pytest.mark.parametrize("link_type", list(LinkType))
def test_captures_come_back(link_type: LinkType) -> None:
    file = io.BytesIO()
    Writer(file, link_type).write_psdu(PSDU, 1_234_567_890_123_456_789)
    file.seek(0)
    reader = Reader(file)
    (captured,) = reader
    assert reader.link_type is link_type
    assert captured.frame == FRAME
    assert captured.time_ns == 1_234_567_890_123_456_789
    assert captured.packet == file.getvalue()[40:]
    assert captured.with_frame(b"\x02\0\x6a")[-2:] == (
        b"\0\x6a" if link_type is LinkType.WITHOUT_FCS else bytes.fromhex("e479")
    )


@pytest.mark.slow
@pytest.mark.parametrize("link_type", list(LinkType))
def test_tshark_reads_them(link_type: LinkType, tmp_path: Path) -> None:
    path = tmp_path / "air.pcap"
    with path.open("wb") as file:
        Writer(file, link_type).write_psdu(PSDU, 1_234_567_890_123_456_789)
    fields = ("wpan.dst16", "wpan.fcs_ok", "data.data", "frame.time_epoch")
    shown = tshark("-r", path, *(f"-e{name}" for name in fields), "-Tfields")
    values = shown.strip("\n").split("\t")
    assert values[0] == "0x5544"
    assert values[1] == "1"
    assert values[2] == "68656c6c6f"
    assert values[3].startswith("1234567890.123456789")


def tshark(*arguments: str | Path) -> str:
    quiet = ("--disable-protocol", "6lowpan", "--disable-protocol", "lwm")
    done = subprocess.run(
        ["tshark", *quiet, *arguments],  # noqa: S607 - Debian's
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    return done.stdout.decode()


def test_sections_of_either_byte_order_are_read() -> None:
    captured = list(Reader(io.BytesIO(PCAPNG)))
    assert [each.frame for each in captured] == [FRAME] * 4
    assert [each.time_ns for each in captured] == [2**22 * 10**9, 0] * 2


@pytest.mark.parametrize("order", "<>")
def test_older_captures_of_either_byte_order_are_read(order: str) -> None:
    content = struct.pack(f"{order}IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 230)
    content += struct.pack(f"{order}IIII", 5, 7, len(FRAME), len(FRAME)) + FRAME
    (captured,) = Reader(io.BytesIO(content))
    assert captured.time_ns == 5_000_007_000


@pytest.mark.parametrize("link_type", list(LinkType))
def test_captures_of_wireshark_are_read(link_type: LinkType, tmp_path: Path) -> None:
    path, other = tmp_path / "air.pcap", tmp_path / "air.pcapng"
    with path.open("wb") as file:
        writer = Writer(file, link_type)
        for number in range(3):
            writer.write_psdu(PSDU, 1_234_567_890_123_456_789 + number)
    subprocess.run(["editcap", "-F", "pcapng", path, other], check=True)  # noqa: S607 - Debian's
    with path.open("rb") as ours, other.open("rb") as theirs:
        assert list(Reader(ours)) == list(Reader(theirs))
    content = other.read_bytes()
    for size in range(4, len(content), 7):
        with pytest.raises(PcapError):
            list(Reader(io.BytesIO(content[:size] + b"\1")))


@given(st.binary(max_size=200), st.integers(0, 300))
def test_damaged_pcapng_is_refused_or_read(data: bytes, at: int) -> None:
    content = PCAPNG[:at] + data + PCAPNG[at + len(data) :]
    with contextlib.suppress(PcapError):
        list(Reader(io.BytesIO(content)))


@given(st.binary(max_size=100), st.sampled_from(LinkType), st.booleans())
def test_damaged_captures_are_refused(
    data: bytes,
    link_type: LinkType,
    begins_well: bool,  # noqa: FBT001 - Hypothesis gives it
) -> None:
    file = io.BytesIO()
    if begins_well:
        Writer(file, link_type)
    file.write(data)
    file.seek(0)
    try:
        for captured in Reader(file):
            assert isinstance(captured.frame, bytes)
    except PcapError:
        pass


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x0a\x0d\x0d\x0a" + bytes(20), "damaged"),
        (b"\x0a\x0d\x0d\x0a\x1c", "cut short"),
        (b"", "neither pcap nor pcapng"),
        (
            struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1),
            "link type of the capture is 1",
        ),
    ],
)
def test_other_files_are_reported(content: bytes, words: str) -> None:
    with pytest.raises(PcapError, match=words):
        Reader(io.BytesIO(content))


# The medium


@contextmanager
def running(conditions: Conditions = AT_ONCE) -> Iterator[Medium]:
    """Run a medium beside the test, on a free port."""
    over = threading.Event()
    with Medium("127.0.0.1", 0, conditions) as medium:
        thread = threading.Thread(target=medium.run, args=(over.is_set,))
        thread.start()
        try:
            yield medium
        finally:
            over.set()
            thread.join()


@contextmanager
def joined(port: int) -> Iterator[socket.socket]:
    """Join a medium by a hello."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as node:
        node.settimeout(60)
        node.connect(("127.0.0.1", port))
        node.send(RIOT_HELLO)
        yield node


def test_packets_reach_all_others_unchanged() -> None:
    with (
        running() as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
        joined(medium.port) as c,
    ):
        for packet in (RIOT_DATA, ZEP_ACK):
            a.send(packet)
            assert b.recv(2048) == packet
            assert c.recv(2048) == packet
        b.send(RIOT_DATA)
        assert a.recv(2048) == RIOT_DATA  # and not what it sent itself
    assert medium.statistics.nodes == 3
    assert medium.statistics.frames == 2
    assert medium.statistics.zep_acks == 1
    assert medium.statistics.deliveries == 6


@pytest.mark.slow
@given(st.lists(st.binary(max_size=160), max_size=20))
def test_malformed_packets_stop_nothing(datagrams: list[bytes]) -> None:
    datagrams = [b"EX\x02\x01" + data for data in datagrams] + datagrams
    malformed = sum(map(is_malformed, datagrams))
    with running() as medium, joined(medium.port) as a, joined(medium.port) as b:
        for datagram in datagrams:
            a.send(datagram)
        a.send(RIOT_DATA)
        while b.recv(2048) != RIOT_DATA:
            pass
    assert medium.statistics.malformed == malformed


def is_malformed(datagram: bytes) -> bool:
    try:
        zep.parse(datagram)
    except zep.ZepError:
        return True
    return False


def test_frames_are_lost_and_duplicated_and_counted() -> None:
    with (
        running(Conditions(paced=False, duplication=1.0)) as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
    ):
        a.send(RIOT_DATA)
        assert [b.recv(2048) for _ in range(2)] == [RIOT_DATA] * 2
    with (
        running(Conditions(paced=False, loss=1.0)) as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
    ):
        b.settimeout(0.2)
        a.send(RIOT_DATA)
        with pytest.raises(TimeoutError):
            b.recv(2048)
    assert medium.statistics.lost == 1


def test_the_kernel_wakes_the_medium_up_in_time() -> None:
    slack_ns: list[int] = []

    def run() -> None:
        with Medium("127.0.0.1", 0, AT_ONCE) as medium:
            medium.run(lambda: True)
        # Of this thread, whose slack is 50,000 otherwise.
        own = Path(f"/proc/{threading.get_native_id()}/timerslack_ns")
        slack_ns.append(int(own.read_text()))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert slack_ns == [1000]


def test_nodes_that_have_gone_are_forgotten() -> None:
    with running() as medium, joined(medium.port) as a:
        with joined(medium.port) as b:
            a.send(RIOT_DATA)
            b.recv(2048)
            assert medium.statistics.nodes == 2
        with joined(medium.port) as b:
            for _ in range(3):
                a.send(RIOT_DATA)
                b.recv(2048)
            assert medium.statistics.nodes == 2


def test_the_quietest_node_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("samara.link.ieee802154.air.medium.NODES_MAX", 3)
    with (
        running() as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
        joined(medium.port) as c,
    ):
        # The oldest speaks, so that the second is quiet for longest.
        a.send(RIOT_DATA)
        for other in (b, c):
            assert other.recv(2048) == RIOT_DATA
        with joined(medium.port) as d:
            d.send(ZEP_ACK)
            for other in (a, c):
                assert other.recv(2048) == ZEP_ACK
            b.settimeout(0.2)
            with pytest.raises(TimeoutError):
                b.recv(2048)
            assert medium.statistics.nodes == 3


def test_acknowledgements_of_zep_take_no_air_time() -> None:
    with (
        running(Conditions(delay_s=0.5)) as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
    ):
        a.send(RIOT_DATA)
        a.send(ZEP_ACK)
        assert [b.recv(2048), b.recv(2048)] == [ZEP_ACK, RIOT_DATA]


def test_no_more_packets_wait_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("samara.link.ieee802154.air.medium.WAITING_MAX", 2)
    with (
        running(Conditions(paced=False, delay_s=0.3)) as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
    ):
        for _ in range(5):
            a.send(RIOT_DATA)
        assert [b.recv(2048) for _ in range(2)] == [RIOT_DATA] * 2
        b.settimeout(0.5)
        with pytest.raises(TimeoutError):
            b.recv(2048)
        statistics = medium.statistics
    assert (statistics.overflowed, statistics.deliveries) == (3, 2)


@pytest.mark.parametrize("csma", [False, True])
def test_a_node_that_sends_too_much_does_not_occupy_the_air(
    csma: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("samara.link.ieee802154.air.medium.QUEUE_MAX", 2)
    monkeypatch.setattr("samara.link.ieee802154.air.contention.QUEUE_MAX", 2)
    # No frame ends during the test.
    monkeypatch.setattr("samara.link.ieee802154.air.channel._BYTE_S", 10.0)
    with (
        running(Conditions(csma=csma)) as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
    ):
        for _ in range(5):
            a.send(RIOT_DATA)
        b.send(RIOT_DATA)
        b.send(ZEP_ACK)
        assert a.recv(2048) == ZEP_ACK
        assert medium.statistics.overflowed == 3


def test_a_node_has_room_again_when_its_frame_was_on_the_air(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("samara.link.ieee802154.air.medium.QUEUE_MAX", 1)
    with (
        running(Conditions()) as medium,
        joined(medium.port) as a,
        joined(medium.port) as b,
    ):
        for _ in range(3):
            a.send(RIOT_DATA)
            assert b.recv(2048) == RIOT_DATA
        assert medium.statistics.overflowed == 0


def test_statistics_count_bytes_and_wrong_check_sequences() -> None:
    wrong = RIOT_DATA[:-1] + bytes([RIOT_DATA[-1] ^ 1])
    unchecked = bytearray(wrong)
    unchecked[7] = 0  # a sniffer's own two bytes
    with running() as medium, joined(medium.port) as a, joined(medium.port) as b:
        for packet in (RIOT_DATA, wrong, bytes(unchecked), RIOT_HELLO, b"nonsense"):
            a.send(packet)
        # Passed on all the same.
        assert [b.recv(2048) for _ in range(3)] == [RIOT_DATA, wrong, bytes(unchecked)]
    statistics = medium.statistics
    assert (statistics.frames, statistics.frame_bytes) == (3, 3 * len(PSDU))
    assert (statistics.wrong_fcs, statistics.hellos) == (1, 3)


# The command


@contextmanager
def medium_process(
    folder: Path, *arguments: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run `samara medium` on a free port; return it and the port."""
    with subprocess.Popen(
        [PROGRAM, "medium", "--port", "0", *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stderr is not None
            messages = process.stderr.readline().decode()
            yield process, int(messages.split("port ")[1].split(";")[0])
        finally:
            process.kill()


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_the_command_captures_and_counts(
    request_to_end: signal.Signals, tmp_path: Path
) -> None:
    arguments = ("--pcap", "air.pcap", "--link-type", "283", "--json")
    with medium_process(tmp_path, *arguments) as (process, at):
        with joined(at) as a, joined(at) as b:
            a.send(b"nonsense")
            a.send(RIOT_DATA)
            assert b.recv(2048) == RIOT_DATA
        process.send_signal(request_to_end)
        shown, messages = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    assert messages == b""
    statistics = json.loads(shown)
    assert (statistics["frames"], statistics["malformed"]) == (1, 1)
    with (tmp_path / "air.pcap").open("rb") as file:
        (captured,) = Reader(file)
    assert captured.frame == FRAME


def test_a_live_tshark_can_listen_and_leave(tmp_path: Path) -> None:
    with medium_process(tmp_path, "--pcap", "-") as (process, at):
        watching = subprocess.Popen(
            ["tshark", "-l", "-c", "1", "-r", "-", "-Tfields", "-ewpan.dst16"],  # noqa: S607 - Debian's
            stdin=process.stdout,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        process.stdout.close()
        with joined(at) as a, joined(at) as b:
            a.send(RIOT_DATA)
            b.recv(2048)
            shown, _ = watching.communicate(timeout=TIMEOUT_S)
            assert shown.split() == [b"0x5544"]
            for _ in range(3):  # nobody looks on any more
                a.send(RIOT_DATA)
                assert b.recv(2048) == RIOT_DATA
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0


@pytest.mark.slow
def test_misuse_is_refused(tmp_path: Path) -> None:
    for arguments, words in (
        (("--loss", "2"), "'--loss': expected 0 to 1"),
        (("--loss", "110%"), "'--loss': expected 0 to 1"),
        (("--duplication", "-0.1"), "'--duplication': expected 0 to 1"),
        (("--reorder", "1.01"), "'--reorder': expected 0 to 1"),
        (("--delay", "60.1"), "'--delay': expected 0 to 60 seconds"),
        (("--delay", "-1"), "'--delay': expected 0 to 60 seconds"),
        (("--link-type", "1", "--pcap", "x"), "195, 230 or 283"),
        (("--host", "192.0.2.1"), "assign"),
        (("--pcap", "no/such/folder"), "no/such/folder"),
    ):
        assert_misuse(samara("medium", *arguments, folder=tmp_path), words)


def test_a_second_medium_is_told_what_is_in_its_way(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = str(other.getsockname()[1])
        done = samara("medium", "--port", port, folder=tmp_path)
    assert_misuse(done, f"port {port}: Address already in use", "another --port")
    done = samara("medium", "--host", "no.such.host.invalid", folder=tmp_path)
    assert_misuse(done, "cannot listen on no.such.host.invalid port 17754")


def test_the_check_sequence_is_checked() -> None:
    assert is_intact(PSDU)
    assert not is_intact(PSDU[:-1] + bytes([PSDU[-1] ^ 1]))
    assert not is_intact(b"\0")
