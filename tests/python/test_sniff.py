# SPDX-License-Identifier: Apache-2.0
"""Frames of 802.15.4 from recordings into captures; tshark is the judge."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from shell import assert_misuse, samara
from spread_signals import on_air, psdu_of, signal

from samara.errors import MisuseError
from samara.link.ieee802154.air import zep
from samara.phy.recordings import write_recording
from samara.records import Notice, Progress, records_of
from samara.sniffer.extcap import ExtcapRequest, answers
from samara.sniffer.pieces import PieceQueue
from samara.sniffer.protocols import protocols
from samara.sniffer.sniffing import SniffRequest, sniff

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

HEADER = bytes.fromhex("41882a2143ffff0100")
KEY = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
needs_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="no tshark")


def frames(count: int) -> list[bytes]:
    return [psdu_of(HEADER + b"frame %d" % i) for i in range(count)]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Three frames, the second of them damaged, as hackrf_transfer records."""
    parts = [signal(p, "oqpsk-2450", rate=4e6) for p in frames(3)]
    parts[1][3000:3400] = 0
    samples = on_air(parts, (4000, 400, 400), 20) * 0.5
    numbers = np.rint(samples.view(np.float32) * 128).clip(-128, 127)
    numbers.astype(np.int8).tofile(tmp_path / "air.cs8")
    return tmp_path


def tshark(folder: Path, *arguments: str, home: Path | None = None) -> list[str]:
    environment = dict(os.environ) | ({"HOME": str(home)} if home else {})
    done = subprocess.run(
        ["tshark", *PLAIN, *arguments],  # noqa: S607 - as it is installed
        cwd=folder, env=environment, check=True, capture_output=True, timeout=100,
    )  # fmt: skip
    return done.stdout.decode().splitlines()


PLAIN = [
    part
    for name in ("lwm", "zbee_nwk", "zbee_nwk_gp", "6lowpan")
    for part in ("--disable-protocol", name)
]
FIELDS = ["-T", "fields", "-e", "frame.time_epoch", "-e", "wpan.src16"]
FIELDS += ["-e", "wpan-tap.ch_num", "-e", "wpan.fcs_ok", "-e", "data.data"]


@needs_tshark
def test_a_recording_becomes_a_capture(recorded: Path) -> None:
    options = ("--rate", "4MHz", "--channel", "15")
    done = samara("sniff", "air.cs8", *options, "-o", "x.pcapng", folder=recorded)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 2)
    assert b"2 packets, 1 with a wrong check sequence" in done.stderr
    rows = [row.split("\t") for row in tshark(recorded, "-r", "x.pcapng", *FIELDS)]
    assert float(rows[0][0]) == pytest.approx(4000 / 4e6, abs=1e-6)
    assert [row[1:3] for row in rows] == [["0x0001", "15"]] * 2
    assert [bytes.fromhex(row[4]) for row in rows] == [b"frame 0", b"frame 2"]
    done = samara(
        *("sniff", "air.cs8", *options, "--damaged", "-o", "-"), folder=recorded
    )
    (recorded / "all.pcapng").write_bytes(done.stdout)
    assert len(tshark(recorded, "-r", "all.pcapng")) == 3


def test_packets_as_json(recorded: Path) -> None:
    done = samara(
        *("sniff", "air.cs8", "--rate", "4MHz", "--frequency", "2425MHz"),
        *("--damaged", "--json"),
        folder=recorded,
    )
    *rows, last = map(json.loads, done.stdout.splitlines())
    assert [row["is_intact"] for row in rows] == [True, False, True]
    assert [row["channel"] for row in rows] == [15] * 3
    assert bytes.fromhex(rows[2]["hex"]) == frames(3)[2]
    assert (last["intact"], last["damaged"], last["dropped_samples"]) == (2, 1, 0)


def test_a_radio_is_heard_as_its_recording_is(tmp_path: Path) -> None:
    parts = [signal(p, "oqpsk-2450", rate=4e6) for p in frames(3)]
    samples = on_air(parts, (4000, 400, 400), 20)
    write_recording(tmp_path / "air", samples, 4e6, frequency=2425e6)
    # Played by GNU Radio, as a radio's samples come: through the bounded queue.
    request = SniffRequest(radio=f"file:{tmp_path}/air", channels=(15,))
    answer = list(sniff(request))
    said = [each for each in answer if isinstance(each, Notice)]
    assert said[0].text == "listening for oqpsk-2450; press Ctrl-C to stop"
    assert answer.index(said[0]) < answer.index(said[-1]) - 3
    records: list[Any] = records_of(answer)
    assert [each.hex for each in records[:-1]] == frames(3)
    assert (records[-1].intact, records[-1].dropped_samples) == (3, 0)
    first, second = (each.time_s for each in records[:2])
    assert second - first == pytest.approx((len(parts[0]) + 400) / 4e6, abs=2e-6)


def test_two_channels_of_a_wide_band(tmp_path: Path) -> None:
    first, second = frames(2)
    rate = 10e6
    parts = [
        signal(first, "oqpsk-2450", rate=rate, offset_hz=-2.5e6),
        signal(second, "oqpsk-2450", rate=rate, offset_hz=2.5e6, amplitude=0.3),
    ]
    size = max(map(len, parts)) + 9000
    samples = np.zeros(size, np.complex64)
    for part, at in zip(parts, (1000, 5000), strict=True):
        samples[at : at + len(part)] += part
    write_recording(tmp_path / "wide", samples, rate, frequency=2417.5e6)
    found = sniff(SniffRequest(recording=tmp_path / "wide", channels=(13, 14)))
    with pytest.raises(MisuseError, match=r"channel is \+7.5 MHz"):
        list(sniff(SniffRequest(recording=tmp_path / "wide", channels=(15,))))
    records: list[Any] = records_of(found)
    heard = {each.channel: each.hex for each in records[:-1]}
    assert heard == {13: first, 14: second}


@needs_tshark
def test_secured_frames_are_opened_with_a_key(tmp_path: Path) -> None:
    keys = f'key = [{{ key = "{KEY}" }}]\n'
    keys += 'device = [{ extended = "acde480000000001", short = "0001", pan = "4321" }]'
    (tmp_path / "keys.toml").write_text(keys)
    (tmp_path / "keys.toml").chmod(0o600)
    protect = [
        "frame",
        "protect",
        "--key",
        "@k",
        "--level",
        "5",
        "--frame-counter",
        "9",
    ]
    (tmp_path / "k").write_text(KEY)
    (tmp_path / "k").chmod(0o600)
    frame = (HEADER + b"21.5 C").hex()
    address = ("--address", "0001=acde480000000001")
    secured = samara(*protect, *address, frame, folder=tmp_path)
    psdu = psdu_of(bytes.fromhex(secured.stdout.decode()))
    samples = on_air([signal(psdu, "bpsk-868", rate=1.2e6)], (500,), 10)
    write_recording(tmp_path / "air", samples, 1.2e6, frequency=868.3e6)
    sniffed = ("sniff", "air", "--protocol", "bpsk-868", "-o", "x.pcapng")
    assert samara(*sniffed, folder=tmp_path).returncode == 0
    done = samara(
        *("pcap", "open", "x.pcapng", "y.pcap", "--keys", "keys.toml"), folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (row,) = tshark(tmp_path, "-r", "y.pcap", "-T", "fields", "-e", "data.data")
    assert bytes.fromhex(row) == b"21.5 C"


def test_frames_are_sent_by_zep(recorded: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wireshark:
        wireshark.bind(("127.0.0.1", 0))
        wireshark.settimeout(60)
        place = f"127.0.0.1:{wireshark.getsockname()[1]}"
        options = ("--rate", "4MHz", "--channel", "15", "--zep", place)
        samara("sniff", "air.cs8", *options, folder=recorded)
        packets = [zep.parse(wireshark.recv(300)) for _ in range(2)]
    heard = [each for each in packets if isinstance(each, zep.Data)]
    assert [each.psdu for each in heard] == [frames(3)[0], frames(3)[2]]
    assert [(each.channel, each.sequence) for each in heard] == [(15, 0), (15, 1)]


@needs_tshark
@pytest.mark.slow
def test_wireshark_captures_by_extcap(recorded: Path) -> None:
    home = recorded / "home"
    programs = home / ".config" / "wireshark" / "extcap"
    programs.mkdir(parents=True)
    done = samara("extcap", "--install", str(programs), folder=recorded)
    assert done.returncode == 0, done.stderr
    listed = "\n".join(tshark(recorded, "-D", home=home))
    assert all(f"samara-{name} " in listed for name in protocols())
    settings = {
        "source": str(recorded / "air.cs8"), "rate": "4MHz", "channel": "15",
    }  # fmt: skip
    options = [
        part
        for name, value in settings.items()
        for part in ("-o", f"extcap.samara_oqpsk_2450.{name}:{value}")
    ]
    rows = tshark(
        recorded, "-i", "samara-oqpsk-2450", *options, *FIELDS, "-Q", home=home
    )
    assert [row.split("\t")[4] for row in rows] == [b"frame 0".hex(), b"frame 2".hex()]


def test_what_wireshark_is_told() -> None:
    lines = [*answers(ExtcapRequest(extcap_interfaces=True))]
    assert len(lines) == 1 + len(protocols())
    request = ExtcapRequest(extcap_config=True, extcap_interface="samara-oqpsk-2450")
    lines = [*answers(request)]
    assert "value {arg=1}{value=26}{display=26 (2480 MHz)}" in lines
    request = ExtcapRequest(extcap_dlts=True, extcap_interface="samara-bpsk-868")
    assert [*answers(request)] == ["dlt {number=283}{name=USER}{display=Packets}"]
    with pytest.raises(MisuseError, match="unknown interface 'eth0'"):
        list(answers(ExtcapRequest(extcap_dlts=True, extcap_interface="eth0")))


def sniffed(folder: Path, samples: NDArray[np.complex64], *options: str) -> list[str]:
    """Return the lines of JSON about three frames recorded at 5 MHz."""
    samples.astype("<c8").tofile(folder / "x.cf32")
    done = samara(
        *("sniff", "x.cf32", "--rate", "5MHz", "--channel", "15", "--json", *options),
        folder=folder,
    )
    assert done.returncode == 0
    return done.stdout.decode().splitlines()


def at_5_mhz() -> NDArray[np.complex64]:
    parts = [signal(p, "oqpsk-2450", rate=5e6) for p in frames(3)]
    return on_air(parts, (5000, 500, 500), 15) * np.complex64(0.3)


def test_a_constant_of_the_receiver_costs_no_frame(tmp_path: Path) -> None:
    """7 dB above the frames, as of receivers without correction of DC."""
    air = at_5_mhz() + np.complex64(0.6 + 0.3j)
    *packets, counted = map(json.loads, sniffed(tmp_path, air))
    assert [p["hex"] for p in packets] == [p.hex() for p in frames(3)]
    assert counted["intact"] == 3


def test_samples_that_are_none_cost_no_frame(tmp_path: Path) -> None:
    air = at_5_mhz()
    air[[100, 300, 700]] = [np.nan, np.inf, 1e30]
    assert len(sniffed(tmp_path, air)) == 4


def test_a_mirrored_spectrum(tmp_path: Path) -> None:
    swapped = 1j * np.conj(at_5_mhz())
    assert len(sniffed(tmp_path, swapped, "--swap-iq")) == 4
    done = samara("sniff", "x.cf32", "--rate", "5MHz", folder=tmp_path)
    assert done.stderr.startswith(b"samara: 0 packets: check --protocol, --channel")
    assert b"try --swap-iq" in done.stderr
    assert done.returncode == 1


def test_how_far_a_recording_was_searched_is_told(tmp_path: Path) -> None:
    np.zeros(3_000_000, "<c8").tofile(tmp_path / "x.cf32")
    request = SniffRequest(recording=tmp_path / "x.cf32", rate=5e6)
    shares = [each.share or 0 for each in sniff(request) if isinstance(each, Progress)]
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_without_a_packet_the_exit_status_is_1(tmp_path: Path) -> None:
    np.zeros(5000, "<c8").tofile(tmp_path / "x.cf32")
    asked = ("sniff", "x.cf32", "--rate", "5MHz")
    for options in ((), ("--json",), ("-o", "x.pcapng"), ("-o", "-")):
        done = samara(*asked, *options, folder=tmp_path)
        assert done.returncode == 1, options
        assert b"samara: 0 packets" in done.stderr


def test_a_damaged_packet_counts_where_it_is_asked_for(tmp_path: Path) -> None:
    part = signal(frames(1)[0], "oqpsk-2450", rate=4e6)
    part[3000:3400] = 0
    on_air([part], (4000,), 20).astype("<c8").tofile(tmp_path / "x.cf32")
    asked = ("sniff", "x.cf32", "--rate", "4MHz", "--channel", "15")
    done = samara(*asked, folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"0 packets, 1 with a wrong check sequence" in done.stderr
    assert samara(*asked, "--damaged", folder=tmp_path).returncode == 0


def test_a_recording_that_was_cut_is_reported(tmp_path: Path) -> None:
    sniffed(tmp_path, at_5_mhz())
    whole = (tmp_path / "x.cf32").read_bytes()
    (tmp_path / "x.cf32").write_bytes(whole[:-3])
    for command in (("sniff", "x.cf32"), ("phy", "inspect", "x.cf32")):
        done = samara(*command, "--rate", "5MHz", folder=tmp_path)
        assert done.returncode == 0
        count = f"{len(whole) // 8 - 1:,}"
        sentence = f"was cut: 3 bytes are missing at its end; its {count} whole samples"
        assert sentence.encode() in done.stderr


def test_what_is_misused(recorded: Path) -> None:
    for arguments, words in (
        ([], "expected either RECORDING or --radio RADIO"),
        (["air.cs8"], "does not say its sample rate: give it with --rate HZ"),
        (["air.cs8", "--rate", "4MHz", "--channel", "9"], "its channels are 11 to 26"),
        (["air.cs8", "--rate", "4MHz", "--protocol", "wifi"], "unknown protocol"),
        (["air.cs8", "--rate", "4MHz", "--zep", "x"], "expected HOST:PORT"),
        (["--radio", "zmq"], "expected --frequency or --channel"),
    ):
        assert_misuse(samara("sniff", *arguments, folder=recorded), words)


def test_a_radio_never_waits_and_times_stay_right() -> None:
    pieces = PieceQueue(waiting=3, size=10)
    for value in range(1, 6):
        pieces.put(np.full(10, value, np.complex64))
    assert pieces.dropped == 20
    taken = [pieces.take(0), pieces.take(0), pieces.take(0), pieces.take(0)]
    assert [len(each) for each in taken if each is not None] == [10, 10, 10, 0]
    pieces.put(np.full(10, 6, np.complex64))
    pieces.end()
    rest = [pieces.take(0), pieces.take(0), pieces.take(0)]
    assert [None if each is None else len(each) for each in rest] == [20, 10, None]
