# SPDX-License-Identifier: Apache-2.0
"""`samara ip watch`: captures that tshark opens, new keys, and what is refused."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import time
from dataclasses import replace
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

import nets
import pytest
from links import Running, medium
from shell import TIMEOUT_S, assert_done, assert_misuse, samara

from samara.errors import FrameError, MisuseError
from samara.link import ieee802154
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.frames.template import FrameTemplate
from samara.link.ieee802154.frames.tools import protected
from samara.link.ieee802154.sniffing.hearing import Ieee802154Sniffing
from samara.link.ieee802154.sniffing.keyring import Keyring
from samara.link.node import folder as folders
from samara.link.node import networks, rekeying
from samara.link.node.node import Node
from samara.net import exchanges
from samara.net.addresses import BROADCAST, DEFAULT_PREFIX, address_in
from samara.net.capturing import CaptureFiles, capturing
from samara.net.lowpan import Context, Hop, payloads
from samara.net.watching import command_to_read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from quiet_air import Air

    from samara.link.ieee802154.frames.tools import FrameKey

TSHARK = shutil.which("tshark") or "tshark"
MESSAGE = b"found in the air"
_PCAP_MAGIC, _PCAP_HEADER = bytes.fromhex("4d3cb2a1"), 24
_ECHO_REQUEST, _PUT = "128", "3"

SNIFFING = Ieee802154Sniffing()


def tshark(capture: Path, profile: Path | None, *words: str) -> list[str]:
    """Return what tshark says of a capture, a line a frame."""
    settings = {} if profile is None else {"WIRESHARK_CONFIG_DIR": str(profile)}
    answer = subprocess.run(
        [TSHARK, "-r", capture, *words],
        env={**os.environ, **settings},
        check=True,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    return answer.stdout.splitlines()


def fields(
    capture: Path, profile: Path | None, *names: str, more: Sequence[str] = ()
) -> list[list[str]]:
    """Return fields of the data frames."""
    wanted = [word for name in names for word in ("-e", name)]
    only = ("-Y", "wpan.frame_type == 1", "-T", "fields")
    return [
        line.split("\t") for line in tshark(capture, profile, *only, *wanted, *more)
    ]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sequence[Path]:
    """Return the directories of two nodes."""
    return made_pair(tmp_path, monkeypatch)


def made_pair(
    folder: Path, monkeypatch: pytest.MonkeyPatch, **options: object
) -> Sequence[Path]:
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "xdg"))
    nodes = folder / "a", folder / "b"
    folders.make_pair(nodes[0], "ieee802154", options)
    folders.make_second(nodes[1], nodes[0], {})
    return nodes


def secured(
    folder: Path, key: FrameKey, counter: int, payload: bytes = MESSAGE
) -> bytes:
    """Return a frame of a node to the other one of its pair."""
    settings = folders.read(folder).end.settings
    template = FrameTemplate.of(settings).to(*ends_of(settings["peer"]))
    short, extended = ends_of(settings["own"])
    del short
    frame = template.with_key(key.key_id.index).frame(payload, counter)
    assert frame.security is not None
    bare = replace(frame, security=None)
    return protected(bare, frame.security, key, extended)


def ends_of(end: Mapping[str, str]) -> tuple[int, bytes]:
    return int(end["short"], 16), bytes.fromhex(end["extended"])


# ---- who is known --------------------------------------------------------------


@pytest.mark.parametrize("given", [0, 1])
def test_the_directory_of_one_end_opens_what_both_send(
    given: int, pair: Sequence[Path]
) -> None:
    keyring = Keyring([pair[given]])
    (key,) = keyring.keys
    peer = folders.read(pair[given]).end.settings["peer"]["short"]
    names = {pair[given]: pair[given].name, pair[1 - given]: peer}
    for sender, receiver in (pair, reversed(pair)):
        data = secured(sender, key, 1)
        frame = ieee802154.parse(data)
        source = keyring.node_of(frame.source)
        destination = keyring.node_of(frame.destination)
        assert (source.name, destination.name) == (names[sender], names[receiver])
        assert keyring.open(data, source, destination).payload == MESSAGE


def test_an_acknowledgement_is_that_of_the_frame_before_it(
    pair: Sequence[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when that is another node's, which cannot be opened."""
    monkeypatch.setattr(exchanges, "_CLOSING_S", -1.0)
    watched = exchanges.Exchanges(pair[:1], DEFAULT_PREFIX)
    (key,) = Keyring(pair[:1]).keys
    settings = folders.read(pair[0]).end.settings
    own, peer = (bytes.fromhex(settings[each]["short"]) for each in ("own", "peer"))
    echo = bytes.fromhex("6000000000083a40") + bytes(15) + b"\1" + bytes(15) + b"\1"
    (payload,) = payloads(
        echo + b"\x80" + bytes(7), Hop(own, peer), tag=1, payload_size=90
    )
    opened = secured(pair[0], key, 1, payload)
    other = bytearray(opened)
    other[-1] ^= 1
    ack = bytes([2, 0, opened[2]])
    for frame in (opened, bytes(other), ack):
        watched.hear(frame + fcs_of(frame))
    (exchange,) = watched.finished()
    assert exchange.packet is not None
    assert exchange.acknowledgements == []
    assert watched.unopened == 1


def test_only_links_whose_frames_can_be_heard_are_watched(tmp_path: Path) -> None:
    for link in ("rf-serial", "sdr"):
        folders.make_pair(tmp_path / link, link, {}, witnesses=tmp_path / "witnesses")
        with pytest.raises(MisuseError, match=f"of {link}: only frames of ieee802154"):
            exchanges.Exchanges([tmp_path / link], DEFAULT_PREFIX)


# ---- files for Wireshark -----------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"level": 5},
        {"level": 2, "key_id_mode": 0},
        {
            "level": 7,
            "key_id_mode": 3,
            "addresses": "extended",
            "frame_version": 2015,
        },
    ],
    ids=["5", "2, implicit", "7, 2015"],
)
def test_tshark_opens_what_was_captured(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, object],
) -> None:
    pair = made_pair(tmp_path, monkeypatch, **options)
    keyring = Keyring(pair)
    (key,) = keyring.keys
    capture, profile = tmp_path / "air.pcapng", tmp_path / "air.pcapng.wireshark"
    wanted = CaptureFiles(capture)
    with capturing(wanted, SNIFFING, keyring, DEFAULT_PREFIX, "here") as file:
        for sender in pair:
            frame = secured(sender, key, 0)
            file.put(frame + fcs_of(frame))
    # The messages of nodes are not 6LoWPAN.
    plain = ("--disable-protocol", "6lowpan")
    names = ("wpan.key_number", "wpan.fcs_ok", "data.data", "frame.interface_name")
    # A key number: that of the key by which the MIC is right.
    row = ["0", "1", MESSAGE.hex(), "here"]
    assert fields(capture, profile, *names, more=plain) == [row, row]
    (sentence,) = command_to_read(wanted)
    command = f"WIRESHARK_CONFIG_DIR={profile} tshark -r {capture}"
    assert sentence == f"{command} shows what the frames carry; {profile} has the keys"


def test_only_their_owner_reads_captures_and_keys(
    pair: Sequence[Path], tmp_path: Path
) -> None:
    keyring, keys = Keyring(pair), tmp_path / "keys"
    made = [tmp_path / "x.pcapng.wireshark", keys]
    before = os.umask(0)
    try:
        for wanted in (
            CaptureFiles(tmp_path / "x.pcapng"),
            CaptureFiles(tmp_path / "x.pcap", keys),
        ):
            with capturing(wanted, SNIFFING, keyring, DEFAULT_PREFIX, "here"):
                pass
    finally:
        os.umask(before)
    assert [mode_of(folder) for folder in made] == [0o700, 0o700]
    files = [path for folder in made for path in folder.iterdir()]
    assert len(files) == 8
    files += [tmp_path / "x.pcapng", tmp_path / "x.pcap"]
    assert {mode_of(path) for path in files} == {0o600}


def test_what_exists_is_replaced_by_request_alone(
    pair: Sequence[Path], tmp_path: Path
) -> None:
    capture = tmp_path / "air.pcapng"
    capture.write_bytes(b"old")
    capture.chmod(0o644)
    with pytest.raises(MisuseError, match=r"air\.pcapng exists; give --force"):
        CaptureFiles(capture).check()
    # Whatever is asked for, a node stays a node.
    for place, reason in ((pair[0], "other files"), (capture, "not a directory")):
        with pytest.raises(MisuseError, match=reason):
            CaptureFiles(tmp_path / "new.pcap", place, force=True).check()
    with capture.open("rb") as old:
        wanted = CaptureFiles(capture, force=True)
        wanted.check()
        with capturing(wanted, SNIFFING, Keyring(pair), DEFAULT_PREFIX, "here"):
            pass
        # Who could read the old file, or has it open, gets nothing of the new one.
        assert old.read() == b"old"
    assert mode_of(capture) == 0o600
    with pytest.raises(MisuseError, match=r"air\.pcapng\.wireshark exists"):
        CaptureFiles(tmp_path / "new.pcap", tmp_path / "air.pcapng.wireshark").check()


def test_a_named_pipe_is_written_to(pair: Sequence[Path], tmp_path: Path) -> None:
    pipe = tmp_path / "air.pcap"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    wanted = CaptureFiles(pipe)
    wanted.check()
    with capturing(wanted, SNIFFING, Keyring(pair), DEFAULT_PREFIX, "here"):
        assert os.read(reader, 100)[:4] == _PCAP_MAGIC
    os.close(reader)


def test_ciphers_that_wireshark_has_not_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = made_pair(tmp_path, monkeypatch, suite="ascon-aead128")
    wanted, keyring = CaptureFiles(tmp_path / "x.pcapng"), Keyring(pair)
    with (
        pytest.raises(MisuseError, match="cannot open frames of ascon-aead128"),
        capturing(wanted, SNIFFING, keyring, DEFAULT_PREFIX, "here"),
    ):
        pass
    assert not list(tmp_path.glob("x.*"))
    # Without keys there is nothing to refuse.
    with capturing(
        CaptureFiles(tmp_path / "x.pcap"), SNIFFING, keyring, DEFAULT_PREFIX, "here"
    ):
        pass


@pytest.mark.slow
def test_a_capture_goes_to_stdout_alone(pair: Sequence[Path], tmp_path: Path) -> None:
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}", "--timeout", "0.1")
        done = samara("ip", "watch", pair[0], *where, "-o", "-", folder=tmp_path)
    assert done.returncode == 0, done
    assert done.stdout[:4] == _PCAP_MAGIC
    assert len(done.stdout) == _PCAP_HEADER


@pytest.mark.slow
def test_without_a_medium_nothing_is_written(
    pair: Sequence[Path], tmp_path: Path
) -> None:
    watch = ("ip", "watch", pair[0], "-o", "x.pcapng", "--medium", "127.0.0.1:9")
    assert_misuse(samara(*watch, folder=tmp_path), "medium")
    assert not list(tmp_path.glob("x.*"))


# ---- a network ---------------------------------------------------------------


@pytest.mark.slow
def test_tshark_reads_coap_on_each_hop_also_with_a_new_key(tmp_path: Path) -> None:
    nets.need("ping", "coap-client-notls", "coap-server-notls")
    capture, profile = tmp_path / "air.pcapng", tmp_path / "air.pcapng.wireshark"
    with nets.lab(tmp_path, nodes=3) as members:
        first, last = members[0], members[-1]
        places = [member["directory"] for member in members]
        where = ("--medium", first["medium"], "-o", capture, "--json")
        with (
            nets.running(last, "coap-server-notls"),
            Running(tmp_path, "ip", "watch", *places, *where) as watcher,
        ):
            assert "watching" in watcher.next_message()
            nets.until_listening(last, 5683)
            # Fragments: 300 bytes are four frames.
            ping = f"-c 1 -W 60 -s 300 {last['address']}".split()
            nets.run(first, "ping", *ping)
            renew = ("node", "rekey", first["directory"], "--timeout", "60")
            assert_done(samara(*renew, folder=tmp_path))
            put = ["coap-client-notls", "-B", "60", "-m", "put", "-e", "t=21.5"]
            nets.run(first, *put, f"coap://[{last['address']}]/example_data")
            # Two ways of two hops, of a ping and of a message.
            shown = watcher.interrupted_after(8)
    assert len(shown) >= 8
    keys = fields(capture, profile, "wpan.key_number", "wpan.aux_sec.key_index")
    assert len(keys) >= 4 * 4 + 4
    assert all(number for number, _ in keys)
    # The new key of the first hop has an index of its own.
    assert len(set(map(tuple, keys))) == 3
    names = ("icmpv6.type", "coap.code", "ipv6.hlim", "data.data")
    carried = fields(capture, profile, *names, "ipv6.src", "ipv6.dst")
    assert [kind for kind, *_ in carried].count(_ECHO_REQUEST) == 2
    puts = {(limit, data) for _, code, limit, data, *_ in carried if code == _PUT}
    # The router counts down.
    assert puts == {("64", b"t=21.5".hex()), ("63", b"t=21.5".hex())}
    # Addresses are complete only with the prefix.
    (ends,) = {(each[4], each[5]) for each in carried if each[1] == _PUT}
    assert ends == (first["address"], last["address"])
    # Without the keys there is nothing of it.
    assert not any(code for (code,) in fields(capture, None, "coap.code"))


# ---- keys --------------------------------------------------------------------


def opened(keyring: Keyring, data: bytes) -> bytes:
    frame = ieee802154.parse(data)
    ends = keyring.node_of(frame.source), keyring.node_of(frame.destination)
    return keyring.open(data, *ends).payload


def test_a_key_that_is_new_is_read_when_a_frame_has_it(pair: Sequence[Path]) -> None:
    keyring = Keyring(pair)
    (old,) = keyring.keys
    assert opened(keyring, secured(pair[0], old, 0)) == MESSAGE
    shutil.rmtree(pair[1])
    rekeying.rekey(pair[0])
    folders.make_second(pair[1], pair[0], {})
    (new,) = Keyring(pair).keys
    assert new != old
    assert opened(keyring, secured(pair[0], new, 0)) == MESSAGE
    assert list(keyring.keys) == [old, new]


def test_forged_frames_do_not_make_it_read_each_time(
    pair: Sequence[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = Keyring(pair)
    (key,) = keyring.keys
    frame = secured(pair[0], key, 0)
    forged = frame[:-1] + bytes([frame[-1] ^ 1])
    reads: list[Path] = []
    read = folders.read

    def counted(folder: Path) -> folders.Described:
        reads.append(folder)
        return read(folder)

    monkeypatch.setattr(folders, "read", counted)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    for _ in range(50):
        with pytest.raises(FrameError):
            opened(keyring, forged)
    assert len(reads) == 2
    monkeypatch.setattr(time, "monotonic", lambda: 1001.0)
    with pytest.raises(FrameError):
        opened(keyring, forged)
    assert len(reads) == 4


def test_a_directory_that_is_gone_does_not_end_it(pair: Sequence[Path]) -> None:
    keyring = Keyring(pair)
    (key,) = keyring.keys
    frame = secured(pair[0], key, 0)
    for folder in pair:
        shutil.rmtree(folder)
    with pytest.raises(FrameError):
        opened(keyring, frame[:-1] + bytes([frame[-1] ^ 1]))
    assert opened(keyring, frame) == MESSAGE


def test_acknowledgements_tell_what_their_security_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, air: Air
) -> None:
    monkeypatch.setattr(exchanges, "_CLOSING_S", -1.0)
    options = {"frame_version": 2015, "frame_retries": 3, "level": 6}
    pair = made_pair(tmp_path, monkeypatch, **options)
    watched = exchanges.Exchanges(pair, DEFAULT_PREFIX)
    own, peer = (
        ends_of(folders.read(pair[0]).end.settings[name])[0].to_bytes(2, "big")
        for name in ("own", "peer")
    )
    packet = packet_to(address_in(DEFAULT_PREFIX, peer), own)
    hop = Hop(own, peer, (Context(DEFAULT_PREFIX),))
    (payload,) = payloads(packet, hop, tag=0, payload_size=90)
    with Node(pair[0]) as sender, Node(pair[1]) as receiver:
        air.when_idle = lambda: receiver.receive(0).clear()
        sender.link.send(payload)
        sender.link.flush()
    for psdu in air.sent:
        watched.hear(psdu)
    (shown,) = watched.finished()
    assert shown.packet == packet
    assert len(shown.acknowledgements) == 1
    # Each has a security header with a key index, and a MIC; the acknowledgement also
    # the counter of the frame, which nothing but security needs.
    assert shown.layers()["security"] == 2 * (6 + 8) + 4
    # Frame control, sequence number, PAN, two short addresses, check sequence.
    assert shown.layers()["mac"] == 2 * (2 + 1 + 2 + 4 + 2)
    assert sum(shown.layers().values()) == sum(map(len, air.sent))


def packet_to(destination: IPv6Address, sender: bytes) -> bytes:
    """Return a packet of an unknown protocol."""
    source = address_in(DEFAULT_PREFIX, sender)
    return b"\x60\0\0\0\0\x04\x3b\x01" + source.packed + destination.packed + b"none"


def test_packets_to_a_group_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(exchanges, "_CLOSING_S", -1.0)
    hub = tmp_path / "hub"
    networks.make(hub, "ieee802154", None, {}, group=True)
    watched = exchanges.Exchanges([hub], DEFAULT_PREFIX)
    (key,) = Keyring([hub]).keys
    settings = folders.read(hub).end.settings
    short, extended = ends_of(settings["own"])
    packet = packet_to(IPv6Address("ff02::1"), short.to_bytes(2, "big"))
    hop = Hop(short.to_bytes(2, "big"), BROADCAST, (Context(DEFAULT_PREFIX),))
    (payload,) = payloads(packet, hop, tag=0, payload_size=90)
    template = FrameTemplate.of(settings).to_all().with_key(key.key_id.index)
    frame = template.frame(payload, 7)
    assert frame.security is not None
    bare = replace(frame, security=None)
    data = protected(bare, frame.security, key, extended)
    watched.hear(data + fcs_of(data))
    (shown,) = watched.finished()
    assert (shown.source, shown.destination) == ("hub", "all")
    assert shown.packet == packet
