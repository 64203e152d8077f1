# SPDX-License-Identifier: Apache-2.0
"""Radio co-processors: the protocol, what goes wrong on the line, and nodes on them."""

from __future__ import annotations

import contextlib
import os
import select
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from links import listening
from rcp_peer import Air, RcpPeer, on_the_line
from serial.tools import list_ports
from shell import objects, samara

from samara.link.ieee802154.frames.acks import Identity
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.ieee802154.radios import hdlc, spinel
from samara.link.ieee802154.radios.place import Place
from samara.link.ieee802154.radios.probing import (
    ListRequest,
    SerialRadio,
    list_radios,
)
from samara.link.ieee802154.radios.spinel_radio import SpinelRadio
from samara.link.node import serial_port
from samara.link.node.link import LinkError
from samara.link.node.options import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHANNEL = 15
HERE = Identity(0xABCD, 0x0001, bytes(range(8)))
THERE = Identity(0xABCD, 0x0002, bytes(range(8, 16)))


def data_frame(
    number: int, payload: bytes, *, to: int = 2, wants_ack: bool = True
) -> bytes:
    control = b"\x61\x88" if wants_ack else b"\x41\x88"
    addresses = b"\xcd\xab" + to.to_bytes(2, "little") + b"\x01\x00"
    return control + bytes((number,)) + addresses + payload


def at(port: str) -> Place:
    return Place.parse(f"spinel:{port}")


@contextlib.contextmanager
def two_radios() -> Iterator[tuple[Air, SpinelRadio, SpinelRadio]]:
    air = Air()
    with RcpPeer(air) as one, RcpPeer(air) as two:
        here = SpinelRadio(at(one.path), CHANNEL, HERE)
        there = SpinelRadio(at(two.path), CHANNEL, THERE)
        try:
            yield air, here, there
        finally:
            here.close()
            there.close()


# ---- the line ----


def test_the_check_sequence_is_crc_16_x_25() -> None:
    # The check value of the catalogue of CRC algorithms, 0x906E, low byte first.
    assert hdlc.check_of(b"123456789") == bytes.fromhex("6e90")


def test_a_frame_of_openthread_on_the_line() -> None:
    # What ot-rcp said after it was started: LAST_STATUS is POWER_ON.
    line = bytes.fromhex("80060070ee747e")
    (contents,) = hdlc.Decoder().feed(line)
    assert contents == bytes.fromhex("80060070")
    assert spinel.parsed(contents).status == 112


@given(st.binary(max_size=300), st.integers(1, 40))
def test_frames_come_through_however_the_line_is_cut(data: bytes, step: int) -> None:
    decoder = hdlc.Decoder()
    line = b"noise" + hdlc.encoded(data) + hdlc.encoded(data[::-1])
    found = [
        contents
        for start in range(0, len(line), step)
        for contents in decoder.feed(line[start : start + step])
    ]
    assert found == [data, data[::-1]]
    assert decoder.damaged == 1
    assert on_the_line(data) == hdlc.encoded(data)


@given(st.binary(min_size=1, max_size=60), st.data())
def test_a_damaged_frame_is_dropped_and_counted(
    data: bytes, draw: st.DataObject
) -> None:
    line = bytearray(hdlc.encoded(data))
    place = draw.draw(st.integers(1, len(line) - 2))
    line[place] ^= 1 << draw.draw(st.integers(0, 7))
    decoder = hdlc.Decoder()
    assert data not in decoder.feed(bytes(line))


def test_a_frame_without_end_takes_no_memory() -> None:
    decoder = hdlc.Decoder()
    for _ in range(100):
        assert decoder.feed(b"x" * 10_000) == []
    assert decoder.feed(hdlc.encoded(b"next")) == [b"next"]
    assert decoder.damaged == 1
    assert decoder.feed(hdlc.encoded(bytes(hdlc.SIZE_MAX))) == [bytes(hdlc.SIZE_MAX)]
    assert decoder.feed(hdlc.encoded(bytes(hdlc.SIZE_MAX + 1))) == []


@given(st.integers(0, 2**21 - 1), st.binary(max_size=5))
def test_packed_integers_are_read_back(number: int, rest: bytes) -> None:
    assert spinel.unpacked(spinel.packed(number) + rest) == (number, rest)


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff\xff\xff\xff"])
def test_what_is_no_packed_integer_is_refused(data: bytes) -> None:
    with pytest.raises(spinel.SpinelError):
        spinel.unpacked(data)


@given(st.binary(max_size=80))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    with contextlib.suppress(spinel.SpinelError):
        message = spinel.parsed(data)
        spinel.frame_of(message.value)
        spinel.acknowledgement_in(message.value)


def test_a_frame_is_sent_as_it_is() -> None:
    value = spinel.sending(b"\x01\x02\x03", 26)
    # Length, frame, channel, backoffs, retries, CSMA-CA, header updated, no
    # retransmission, security processed.
    assert value == bytes.fromhex("0300 010203 1a 04 00 01 01 00 01")


# ---- the radio ----


def test_a_frame_is_acknowledged_by_the_co_processor() -> None:
    with two_radios() as (air, here, there):
        frame = data_frame(7, b"21.5 C")
        assert here.transmit(frame) == frame + fcs_of(frame)
        (answer,) = here.receive(0)
        assert answer.frame == bytes((2, 0, 7))
        assert not here.is_unanswered(frame)
        (heard,) = there.receive(5)
        assert (heard.psdu, heard.rssi_dbm, heard.lqi) == (
            frame + fcs_of(frame),
            -47,
            200,
        )
        assert heard.delivery_s is None
        sent = list(air.sent)
        # The MAC's own acknowledgement stays here: the chip has sent one.
        assert there.acknowledge(bytes((2, 0, 7)))[:3] == bytes((2, 0, 7))
        assert air.sent == sent


@pytest.mark.parametrize("has_been_reset", [False, True])
def test_who_asks_for_held_frames_is_told_that_there_are_none(
    *, has_been_reset: bool
) -> None:
    """A sleepy device would stay awake for a frame that never comes."""
    question = bytes.fromhex("6388 01 cdab 0200 0100 04")
    pending = 0x10
    with two_radios() as (air, here, there):
        assert air.peers[1].given[0x1305] == b""
        if has_been_reset:
            air.peers[1].reset()
            here.transmit(question)
            assert not here.receive(0)
            there.receive(0.1)
        here.transmit(question)
        assert [each.frame[0] & pending for each in here.receive(0)] == [0]
        air.peers[1].given[0x1303] = b"\0"
        here.transmit(question)
        assert [each.frame[0] & pending for each in here.receive(0)] == [pending]


def test_a_frame_to_nobody_is_known_to_be_unanswered() -> None:
    with two_radios() as (_, here, there):
        lost, kept = data_frame(1, b"x", to=9), data_frame(2, b"y")
        here.transmit(lost)
        assert here.is_unanswered(lost)
        assert there.receive(0.05) == []
        here.transmit(kept)
        assert not here.is_unanswered(kept)
        assert not here.is_unanswered(lost)


def test_power_and_threshold_are_set_in_dbm() -> None:
    with RcpPeer(Air()) as peer:
        place = Place.parse(f"spinel:{peer.path}?power=-7&cca=-75")
        SpinelRadio(place, CHANNEL, HERE).close()
        assert peer.given[0x25] == bytes((0xF9,))
        assert peer.given[0x24] == bytes((0xB5,))
        SpinelRadio(at(peer.path), CHANNEL, HERE).close()
        assert 0x25 not in peer.given


def test_many_frames_keep_their_order() -> None:
    with two_radios() as (_, here, there):
        sent = [data_frame(i % 256, bytes((i % 256,)) * 100) for i in range(300)]
        heard = []
        for frame in sent:
            here.transmit(frame)
            assert [each.frame[2] for each in here.receive(0)] == [frame[2]]
            heard += there.receive(5)
        assert [each.frame for each in heard] == sent


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_reset_is_noticed_and_mended(*, is_announced: bool) -> None:
    with two_radios() as (air, here, there):
        air.peers[0].reset(is_announced=is_announced)
        for number in range(3):
            # Not told: the first frame is refused, and is sent again by the MAC.
            here.transmit(data_frame(number, b"x"))
            here.receive(0)
        assert [each.frame[2] for each in there.receive(5)][-1] == 2
        assert air.peers[0].given[0x36] == b"\xcd\xab"
        notices = here.notices()
        assert [text for text in notices if "was reset, and is set up again" in text]


def test_hostile_bytes_on_the_line_change_nothing() -> None:
    with two_radios() as (air, here, there):
        frames = (b"\x80\x06", b"\x80\x06\x71", b"\x80\x06\x71\xff\xff", b"\x00", b"")
        for contents in (*frames, b"\x85\x06\x00\x00", b"\x80\x06\x71" + bytes(2000)):
            air.peers[0].say(on_the_line(contents))
        air.peers[0].say(bytes(range(256)) * 20 + b"\x7e")
        here.transmit(data_frame(1, b"x"))
        assert [each.frame[2] for each in there.receive(5)] == [1]


def test_what_is_not_taken_is_bounded() -> None:
    with two_radios() as (_, here, there):
        for number in range(300):
            here.transmit(data_frame(number % 256, b"x", wants_ack=False))
        time.sleep(0.01)
        assert len(there.receive(5)) <= 256


def test_a_port_without_a_co_processor_is_reported() -> None:
    master, slave = os.openpty()
    try:
        with pytest.raises(LinkError, match=r"no radio co-processor at .*RCP firmware"):
            SpinelRadio(at(os.ttyname(slave)), CHANNEL, HERE)
    finally:
        os.close(master)
        os.close(slave)


def test_a_co_processor_with_a_stack_of_its_own_is_refused() -> None:
    with (
        RcpPeer(Air(), caps=(5, 48)) as peer,
        pytest.raises(LinkError, match="a radio alone"),
    ):
        SpinelRadio(at(peer.path), CHANNEL, HERE)


def test_an_unplugged_co_processor_is_reported() -> None:
    with two_radios() as (air, here, _):
        air.peers[0].unplug()
        with pytest.raises(LinkError, match="radio co-processor at"):
            here.transmit(data_frame(1, b"x"))


def test_a_dongle_that_is_plugged_in_again_is_set_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_port, "_AGAIN_S", 0.0)
    # A port of its own name, as udev gives it: what it leads to is no terminal's.
    monkeypatch.setattr(serial_port, "_PSEUDO_TERMINALS", tmp_path)
    air, port = Air(), tmp_path / "dongle"
    with RcpPeer(air) as other:
        one = RcpPeer(air)
        port.symlink_to(one.path)
        here = SpinelRadio(at(str(port)), CHANNEL, HERE)
        there = SpinelRadio(at(other.path), CHANNEL, THERE)
        ready = select.poll()
        ready.register(there.fileno(), select.POLLIN)
        one.unplug()
        with pytest.raises(LinkError, match="is away"):
            here.transmit(data_frame(1, b"x"))
        again = RcpPeer(air)
        port.unlink()
        port.symlink_to(again.path)
        here.receive(0.1)
        here.transmit(data_frame(2, b"y"))
        assert ready.poll(60_000)
        assert [each.frame[2] for each in there.receive(5)] == [2]
        sentences = " ".join(here.notices())
        assert "is away" in sentences
        assert "is back; " in sentences
        # The descriptor is that of the new port.
        assert here.receive(0) != []
        there.transmit(b"\x41\x88\x05\xcd\xab\x01\x00\x02\x00z")
        mine = select.poll()
        mine.register(here.fileno(), select.POLLIN)
        assert mine.poll(60_000)
        here.close()
        there.close()
        again.unplug()


# ---- settings ----


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("medium", Place("medium")),
        ("spinel:/dev/ttyACM0", Place("spinel", "/dev/ttyACM0", 2_000_000)),
        ("spinel:/dev/ttyUSB0", Place("spinel", "/dev/ttyUSB0", 115_200)),
        ("spinel:/dev/ttyUSB0?baud=460800", Place("spinel", "/dev/ttyUSB0", 460_800)),
        (
            "spinel:/dev/ttyUSB0?power=-7&cca=-75",
            Place("spinel", "/dev/ttyUSB0", 115_200, -7, -75),
        ),
    ],
)
def test_a_radio_has_a_name(text: str, place: Place) -> None:
    assert Place.parse(text) == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "spinel",
        "spinel:",
        "zmq",
        "spinel:/dev/x?baud=1",
        "spinel:/dev/x?y=2",
        "spinel:/dev/x?power=200",
        "spinel:/dev/x?cca=--1",
        "spinel:/dev/x?",
        "spinel:/dev/x?power=1&",
    ],
)
def test_another_name_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="--radio"):
        Place.parse(text)


# ---- nodes ----


def test_nodes_talk_over_two_co_processors(tmp_path: Path) -> None:
    air = Air()
    with RcpPeer(air) as one, RcpPeer(air) as two:
        radio = ("--radio", f"spinel:{one.path}", "--frame-retries", "3")
        samara("node", "init", "a", "--link", "ieee802154", *radio, folder=tmp_path)
        other = ("--pair-with", "a", "--radio", f"spinel:{two.path}")
        samara("node", "init", "b", *other, "--frame-retries", "3", folder=tmp_path)
        listener = listening(tmp_path, "b", "--count", "2")
        with listener:
            air.lost = 1
            sent = samara("node", "send", "a", "21.5 C", folder=tmp_path)
            assert b"1 of 1 frames acknowledged, 1 sent again" in sent.stdout
            samara("node", "send", "a", "x" * 300, folder=tmp_path)
            events = listener.events()
        received = [each for each in events if each["type"] == "received"]
        figures = received[0]["receipt"]["figures"]
        assert figures["signal_strength"]["value"] == -47
        assert figures["link_quality"]["value"] == 200
        assert "delivery_time_by_clock" not in figures
        messages = [each["text"] for each in events if each["type"] == "received"]
        assert messages == ["21.5 C", "x" * 300]
        assert one.keys_given == two.keys_given == 0


def test_what_a_co_processor_would_do_otherwise_is_refused(tmp_path: Path) -> None:
    radio = ("--link", "ieee802154", "--radio", "spinel:/dev/ttyACM0")
    for options, text in (
        (("--frame-version", "2015", "--frame-retries", "3"), b"has no key"),
        (("--mac", "box-mac-2"), b"takes no --mac box-mac-2"),
    ):
        done = samara("node", "init", "n", *radio, *options, folder=tmp_path)
        assert done.returncode == 2
        assert text in done.stderr.replace(b"\n", b" ")


# ---- commands ----


def test_a_co_processor_says_what_it_is(tmp_path: Path) -> None:
    with RcpPeer(Air()) as peer:
        words = ("radio", "probe", f"spinel:{peer.path}", "--seconds", "0")
        (about,) = objects(samara(*words, "--json", folder=tmp_path).stdout)
    assert about == {
        "type": "radio_about",
        "port": peer.path,
        "firmware": "PEER/1.0",
        "spinel": "4.3",
        "api": None,
        "address": "00" * 8,
        "channel": 26,
        "frames": 0,
    }


def test_frames_are_counted_while_it_listens() -> None:
    air = Air()
    with RcpPeer(air) as one, RcpPeer(air) as two:
        here = SpinelRadio(at(one.path), CHANNEL, HERE)
        observer = SpinelRadio(at(two.path), CHANNEL)
        for number in range(5):
            # To somebody else: an observer hears all, and acknowledges nothing.
            here.transmit(data_frame(number, b"x", to=9))
            assert here.is_unanswered(data_frame(number, b"x", to=9))
        assert observer.count_heard(0.5) == 5
        here.close()
        observer.close()


@pytest.mark.parametrize(
    ("radio", "text"),
    [
        ("medium", b"the medium is no radio"),
        ("spinel:/nowhere", b"/nowhere cannot be opened: No such file or directory."),
        ("spinel:/dev/null", b"/dev/null cannot be opened: it is no serial port."),
    ],
)
def test_what_is_no_radio_is_reported(radio: str, text: bytes, tmp_path: Path) -> None:
    done = samara("radio", "probe", radio, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert text in done.stderr


def test_ports_are_listed_with_those_that_are_known_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [
        SimpleNamespace(device="/dev/ttyS0", description="n/a", vid=None, pid=None),
        SimpleNamespace(
            device="/dev/ttyACM0", description="nRF", vid=0x1915, pid=0xCAFE
        ),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    listed = [
        (each.port, each.usb)
        for each in list_radios(ListRequest())
        if isinstance(each, SerialRadio)
    ]
    assert listed == [("/dev/ttyACM0", "1915:cafe"), ("/dev/ttyS0", None)]
