# SPDX-License-Identifier: Apache-2.0
"""How packets travel on serial lines: known frames, all bytes, and damaged ones."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.link.rfserial import modules
from samara.link.rfserial.modules import at_lines
from samara.link.rfserial.modules.emulated import far_ends
from samara.link.rfserial.modules.wrappings import kiss, wrappings, xbee_api

if TYPE_CHECKING:
    from samara.link.rfserial.modules.emulated.far_end import FarEnd
    from samara.link.rfserial.modules.wrapping import Session

KEEPS_PACKETS = [each for each in wrappings().values() if each.keeps_packets]
PACKETS = st.lists(st.binary(min_size=1, max_size=80), max_size=5)


def through(far: FarEnd, line: bytes) -> list[bytes]:
    """Return the packets that a module sends because of what is written to it."""
    return [packet for byte in line for packet in far.take(byte)]


def begun(name: str) -> tuple[Session, FarEnd]:
    """Return both ends of a line whose module has been started."""
    wrapping = wrappings()[name]
    session = wrapping.session(wrapping.options)
    far = far_ends()[name](wrapping.options, 1000)
    for each in session.begin():
        assert through(far, each) == []
    assert session.feed(bytes(far.replies)) == []
    far.replies.clear()
    return session, far


def test_each_wrapping_has_a_module_at_its_far_end() -> None:
    assert set(far_ends()) == {each.name for each in KEEPS_PACKETS}
    assert {each.wrapping.name for each in map(modules.module, modules.names())} == set(
        wrappings()
    )


@pytest.mark.parametrize("name", far_ends())
@given(packets=PACKETS)
def test_packets_arrive_as_they_are(name: str, packets: list[bytes]) -> None:
    session, far = begun(name)
    for packet in packets:
        line = session.wrap(packet)
        # What receipts and pacing count is never more than what is written.
        assert wrappings()[name].line_size(len(packet)) <= len(line) + 2
        (sent,) = through(far, line)
        session.feed(bytes(far.replies) + far.sent())
        far.replies.clear()
        assert not session.is_busy
        assert through(far, bytes(session.replies)) == []
        session.replies.clear()
        assert b"".join(session.feed(far.received(sent))) == packet
    assert session.refused == 0


@pytest.mark.parametrize("name", wrappings())
@given(data=st.binary(max_size=300), cut=st.integers(1, 300))
def test_any_bytes_are_read(name: str, data: bytes, cut: int) -> None:
    session = wrappings()[name].session(wrappings()[name].options)
    whole = session.feed(data)
    again = wrappings()[name].session(wrappings()[name].options)
    parts = again.feed(data[:cut]) + again.feed(data[cut:])
    assert b"".join(parts) == b"".join(whole)
    assert again.damaged == session.damaged


@pytest.mark.parametrize("name", far_ends())
@given(noise=st.binary(max_size=60), packet=st.binary(min_size=1, max_size=40))
def test_a_packet_behind_noise_is_found_at_the_second_try(
    name: str, noise: bytes, packet: bytes
) -> None:
    session, far = begun(name)
    (sent,) = through(far, session.wrap(packet))
    session.feed(noise)
    written = far.received(sent)
    if not written:
        far.sent()
        through(far, b"AT+TEST=RXLRPKT\r\n")
        written = far.received(sent)
    # Noise may announce a long frame, or hold one half of a line.
    came = [each for _ in range(60) for each in session.feed(written)]
    assert packet in came


@pytest.mark.parametrize("name", wrappings())
@pytest.mark.parametrize("byte", [0x00, 0x2B, 0x41, 0x7E, 0x7D, 0xC0, 0xDB])
def test_a_line_without_end_takes_no_memory(name: str, byte: int) -> None:
    session = wrappings()[name].session(wrappings()[name].options)
    for _ in range(300):
        session.feed(bytes([byte]) * 1000)
    assert len(pickle.dumps(session)) < 10_000
    assert len(session.replies) == 0


def test_a_kiss_frame_of_the_specification() -> None:
    # Chepponis and Karn, 1987: the characters TEST, and two that are escaped.
    assert kiss.framed(0, b"TEST") == bytes.fromhex("c0 00 54 45 53 54 c0")
    assert kiss.framed(5 << 4, b"Hello") == bytes.fromhex("c0 50 48 65 6c 6c 6f c0")
    assert kiss.framed(0, b"\xc0\xdb") == bytes.fromhex("c0 00 db dc db dd c0")


def test_a_header_of_ax25() -> None:
    options = {"to": "NJ7P", "from": "N7LEM-1"}
    session = wrappings()["kiss"].session(options)
    # AX.25 2.2, figure 3.5: NJ7P without, and N7LEM with an SSID.
    header = "9c94 6ea0 4040 e0 9c6e 98 8a 9a 40 63 03 f0"
    assert session.wrap(b"x") == bytes.fromhex(f"c0 00 {header} 78 c0")
    assert session.feed(session.wrap(b"x")) == [b"x"]
    # Digipeaters may stand between, and frames of other kinds are none of ours.
    digipeater = bytes.fromhex("9c946ea04040e0 9c6e988a9a4062 9c6e988a9a40e3 03f0 79")
    assert session.feed(kiss.framed(0, digipeater)) == [b"y"]
    assert session.feed(kiss.framed(0, bytes.fromhex(f"{header}78")[:-3])) == []
    assert session.damaged == 1
    assert session.feed(kiss.framed(6, b"hardware")) == []


@pytest.mark.parametrize("call", ["", "N0CALL-16", "n0call", "TOOLONG", "N0 ALL"])
def test_what_is_no_call_sign_is_refused(call: str) -> None:
    with pytest.raises(ValueError, match="is no call sign"):
        wrappings()["kiss"].session({"to": "SAMARA", "from": call})


def test_frames_of_an_xbee_as_its_guide_prints_them() -> None:
    # XBee S2C user guide, transmit request: TxData0A to 0013A200 400A0127.
    options = {"address": "0013a200400a0127", "frames": "zigbee", "escaped": "no"}
    session = wrappings()["xbee-api"].session(options)
    frame = "7e 0016 10 01 0013a200400a0127 fffe 00 00 5478446174613041 13"
    assert session.wrap(b"TxData0A").hex() == frame.replace(" ", "")
    assert session.is_busy
    # Delivered; one that was not; and a packet that was received.
    assert session.feed(bytes.fromhex("7e 0007 8b 01 7d84 00 00 01 71")) == []
    assert (session.is_busy, session.refused) == (False, 0)
    session.wrap(b"again")
    assert session.feed(xbee_api.framed(bytes.fromhex("8b 02 fffe 00 21 00"))) == []
    assert (session.is_busy, session.refused) == (False, 1)
    came = "7e 0012 90 0013a20040522baa 7d84 01 527844617461 0d"
    assert session.feed(bytes.fromhex(came)) == [b"RxData"]


def test_bytes_of_an_escaped_line() -> None:
    # XBee user guide, escaped characters: 0x11 is sent as 0x7D 0x31.
    frame = bytes.fromhex("7e 00 02 23 7d 31 cb")
    assert xbee_api.framed(b"\x23\x11", is_escaped=True) == frame
    assert xbee_api.Decoder(is_escaped=True).feed(frame) == [b"\x23\x11"]
    # A frame that ends in the middle does not take the next one with it.
    decoder = xbee_api.Decoder(is_escaped=True)
    assert decoder.feed(frame[:5] + frame) == [b"\x23\x11"]
    assert decoder.damaged == 1


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("xbee-api", {"address": "00"}),
        ("xbee-api", {"address": "xyz"}),
        ("xbee-api", {"frames": "thread"}),
        ("rnode", {"sf": "13"}),
        ("rnode", {"frequency": "868.1"}),
        ("lora-e5", {"radio": "868.1,SF7\r\nAT+RESET"}),
        ("reyax", {"to": "0,1"}),
    ],
)
def test_an_option_that_is_wrong_is_refused(name: str, options: dict[str, str]) -> None:
    wrapping = wrappings()[name]
    with pytest.raises(ValueError, match=r"must|hex"):
        wrapping.session({**wrapping.options, **options})


def test_lines_are_bounded() -> None:
    lines = at_lines.Lines()
    assert lines.feed(b"+OK\r\n+RCV") == ["+OK"]
    assert lines.feed(b"=1\n\n") == ["+RCV=1"]
    assert lines.feed(b"x" * 5000) == []
    assert lines.feed(b"y\r\n+OK\r\n") == ["+OK"]
    assert lines.damaged == 1
