# SPDX-License-Identifier: Apache-2.0
"""Packets of transceiver chips: bits, waveforms, and Grain-128PLE as whitening."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from gnuradio import blocks, digital, gr
from shell import assert_misuse, samara
from test_sniff_chips import NAMES, PAYLOADS, packet

from samara.crypto import grain128ple, ple_sync
from samara.crypto.registry import suite
from samara.errors import MisuseError
from samara.phy.transceivers import sending
from samara.phy.transceivers.encryption import TAG_SIZE, EncryptedPackets, Opener
from samara.phy.transceivers.keying import Keying
from samara.phy.transceivers.packet_formats import (
    Check,
    Layout,
    PacketFormat,
    Whitening,
)
from samara.phy.transceivers.profile import Profile, profiles
from samara.phy.transceivers.spectrum import spectrum

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from samara.phy.transceivers.keying import Bits

KEY = bytes(range(16))
CHECK = Check(16, 0x1021, 0xFFFF)


def taker(sent: Bits) -> Callable[[int], Bits]:
    """Return a function that returns the next bits, and zeros behind the last."""
    left = np.concatenate([sent, np.zeros(4000, np.uint8)]).tolist()
    return lambda count: np.array([left.pop(0) for _ in range(count)], np.uint8)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_bits_are_those_of_a_modulator_of_our_own(name: str, payload: bytes) -> None:
    wanted, shown = packet(name, payload)
    # The modulator of the tests asks for no acknowledgement (nRF24: identity 2).
    built = profiles()[name].format.build(payload).tolist()
    if name == "nrf24":
        assert (built[:6], len(built)) == (wanted[:6], len(wanted))
    else:
        assert built == wanted
    parsed = profiles()[name].format.parse(taker(np.array(wanted, np.uint8)))
    assert parsed is not None
    assert (parsed.content, parsed.is_intact) == (shown, True)
    assert parsed.bits == len(wanted)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("longest", [False, True])
def test_packets_are_parsed_as_they_were_built(name: str, *, longest: bool) -> None:
    own = profiles()[name].format
    payload = bytes(i % 251 for i in range(own.most if longest else max(own.least, 1)))
    parsed = own.parse(taker(own.build(payload)))
    assert parsed is not None
    assert parsed.is_intact
    assert own.payload_of(parsed.content) == payload
    damaged = own.build(payload)
    damaged[-20] ^= 1
    parsed = own.parse(taker(damaged))
    assert parsed is not None
    assert not parsed.is_intact


def test_sizes_that_no_packet_has() -> None:
    fixed = PacketFormat(Layout.FIXED, Whitening.NONE, CHECK, 5)
    assert len(fixed.build(b"hello")) == 40 + 16
    with pytest.raises(MisuseError, match="a payload has 5 bytes, not 4"):
        fixed.build(b"hell")
    for name, size in (("cc1101", 256), ("cc1101", 0), ("nrf24", 33)):
        with pytest.raises(MisuseError, match=f"bytes, not {size}"):
            profiles()[name].format.build(bytes(size))


def test_a_check_that_leaves_out_the_length() -> None:
    check = Check(16, 0x1021, 0xFFFF, has_length=False)
    own = PacketFormat(Layout.LENGTH_BYTE, Whitening.NONE, check, 9)
    # CRC-16/IBM-3740 of the digits.
    assert np.packbits(own.build(b"123456789")).tobytes() == b"\t123456789\x29\xb1"


@pytest.mark.parametrize("name", NAMES)
def test_gnu_radio_receives_what_is_sent(name: str) -> None:
    profile = profiles()[name]
    sent = sending.on_air(profile, profile.format.build(b"to GNU Radio"))
    wave = np.pad(sending.wave(profile, profile.format.build(b"to GNU Radio")), 400)
    keying = profile.keying
    flow, sink = gr.top_block(), blocks.vector_sink_b()
    demodulator = digital.gfsk_demod(
        keying.samples, math.pi * keying.index / keying.samples
    )
    source = blocks.vector_source_c(wave.tolist())
    flow.connect(source, demodulator, sink)
    flow.run()
    heard = bytes(sink.data())
    # Its clock may need the first bits of the preamble.
    assert bytes(sent[16:].tolist()) in heard


@pytest.mark.parametrize(
    ("bandwidth_time", "bit_rates"), [(0.0, 1.20), (0.5, 1.04), (0.3, 0.91)]
)
def test_occupied_bandwidth_of_msk_and_gmsk(
    bandwidth_time: float, bit_rates: float
) -> None:
    """99 % of the power: Murota and Hirade, IEEE Trans. Comm. 29(7), 1981, table I."""
    keying = Keying(100e3, 25e3, bandwidth_time)
    own = PacketFormat(Layout.FIXED, Whitening.NONE, None, 5)
    profile = Profile("own", "own", "own", keying, b"\xaa", b"\x2d", own)
    found = spectrum(profile)
    assert found.occupied_hz / keying.bit_rate == pytest.approx(bit_rates, rel=0.04)
    assert found.decibels.max() == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_phase_never_jumps(name: str) -> None:
    profile = profiles()[name]
    wave = sending.wave(profile, profile.format.build(b"phase"))
    steps = np.angle(wave[1:] * np.conj(wave[:-1]))
    most = 2 * np.pi * profile.keying.deviation / profile.keying.sample_rate
    assert np.abs(steps).max() <= most * 1.001
    assert np.abs(steps).max() > 0.99 * most
    level = np.abs(wave[profile.keying.samples : -profile.keying.samples])
    assert level == pytest.approx(np.full(len(level), 0.25), abs=1e-6)
    assert abs(wave[0]) < 0.01
    assert abs(wave[-1]) < 0.01


@pytest.mark.parametrize("name", NAMES)
def test_the_keystream_takes_the_place_of_the_whitening(name: str) -> None:
    own = profiles()[name].format
    built = EncryptedPackets(own, KEY, direction=1, link_id=7).build(b"21.5 C", 9)
    nonce = ple_sync.nonce(ple_sync.Domain.TAG, 1, 7, 9)
    tag = suite("grain128aead").seal(KEY, nonce, b"", b"21.5 C")[:TAG_SIZE]
    plain = own.build(b"21.5 C" + tag, iter([0] * 999))
    nonce = ple_sync.nonce(ple_sync.Domain.KEYSTREAM, 1, 7, 9)
    stream = grain128ple.keystream(KEY, nonce, bits=len(plain))
    added = np.unpackbits(stream, count=len(plain), bitorder="little")
    assert (built ^ plain).tolist() == added.tolist()
    # Nothing is added to a packet with this payload and the chip's whitening.
    assert len(built) == len(own.build(bytes(6 + TAG_SIZE)))


def test_counters_within_the_window_and_no_others() -> None:
    packets = EncryptedPackets(profiles()["cc1101"].format, KEY)
    opener = Opener(packets, first=5, window=100)
    for counter in (4, 105, 2**64 - 2):
        assert opener.parse(taker(packets.build(b"far", counter))) is None
    assert opener.next == 5
    for counter in (104, 105, 204):
        parsed = opener.parse(taker(packets.build(b"x", counter)))
        assert parsed is not None
        assert parsed.content[:2] == b"\x05x"
        assert opener.next == counter + 1
    assert opener.parse(taker(packets.build(b"x", 204))) is None, "a replay"
    last = Opener(packets, 2**64 - 3, 100)
    assert last.parse(taker(packets.build(b"last", 2**64 - 2))) is not None
    with pytest.raises(MisuseError, match="the frame counter"):
        packets.build(b"", 2**64 - 1)


def test_bits_and_check_sequence_changed_alike_are_refused() -> None:
    """A CRC is linear: without a tag, anybody changes a payload and its CRC."""
    own = profiles()["si446x"].format
    packets = EncryptedPackets(own, KEY)
    sent = packets.build(b"pay 10", 0)
    one, other = b"pay 10" + bytes(4), b"pay 90" + bytes(4)
    forged = sent ^ own.build(one) ^ own.build(other)
    nonce = ple_sync.nonce(ple_sync.Domain.KEYSTREAM, 0, 0, 0)
    stream = grain128ple.keystream(KEY, nonce, bits=len(sent))
    added = iter(np.unpackbits(stream, bitorder="little").tolist())
    parsed = own.parse(taker(forged), added)
    assert parsed is not None
    assert parsed.is_intact, "the forgery fits the check sequence"
    assert parsed.content[1:7] == b"pay 90"
    assert Opener(packets, 0, 8).parse(taker(forged)) is None
    assert Opener(packets, 0, 8).parse(taker(sent)) is not None
    stranger = EncryptedPackets(own, bytes(16))
    assert Opener(stranger, 0, 64).parse(taker(sent)) is None


def test_formats_that_cannot_be_encrypted() -> None:
    for check, longest, words in ((None, 9, "check sequence"), (CHECK, 4, "more than")):
        own = PacketFormat(Layout.LENGTH_BYTE, Whitening.NONE, check, longest)
        with pytest.raises(MisuseError, match=words):
            Opener(EncryptedPackets(own, KEY), 0, 8)
    small = PacketFormat(Layout.LENGTH_BYTE, Whitening.NONE, CHECK, 5)
    assert EncryptedPackets(small, KEY).most == 1
    with pytest.raises(MisuseError, match="at most 1 bytes, not 2"):
        EncryptedPackets(small, KEY).build(b"ab", 0)


@pytest.mark.parametrize("name", NAMES)
def test_what_phy_packets_sends_is_sniffed(name: str, tmp_path: Path) -> None:
    rate = profiles()[name].keying.bit_rate
    message = bytes(i * 7 % 256 for i in range(600))
    (tmp_path / "message").write_bytes(message)
    (tmp_path / "key").write_text(KEY.hex())
    (tmp_path / "key").chmod(0o600)
    how = ("--ebn0", "22", "--offset", str(0.1 * rate), "--clock-ppm", "40")
    for air, keyed, listening in (
        ("plain", (), ()),
        (
            "ple",
            ("--key", "@key", "--counter", "70"),
            ("--key", "@key", "--counter", "3"),
        ),
    ):
        sent = samara(
            *("phy", "packets", air, "--chip", name, "-i", "message", "--json"),
            *(*how, *keyed), folder=tmp_path,
        )  # fmt: skip
        (record,) = map(json.loads, sent.stdout.splitlines())
        assert record["bit_rate"] == rate
        assert record["encrypted"] == bool(keyed)
        done = samara(
            *("sniff", air, "--protocol", name, "--json", *listening), folder=tmp_path
        )
        *found, last = map(json.loads, done.stdout.splitlines())
        assert (last["intact"], last["damaged"]) == (record["packets"], 0)
        own, cut = profiles()[name].format, -TAG_SIZE if keyed else None
        parts = [own.payload_of(bytes.fromhex(each["hex"]))[:cut] for each in found]
        assert b"".join(parts) == message
    stranger = samara("sniff", "ple", "--protocol", name, "--json", folder=tmp_path)
    assert json.loads(stranger.stdout.splitlines()[-1])["intact"] == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("phy", "packets", "x"), "expected either --message TEXT or -i FILE"),
        (("phy", "packets", "x", "--message", "a", "--chip", "z80"), "z80"),
        (
            ("phy", "packets", "x", "--message", "a", "--counter", "1"),
            "only for packets",
        ),
        (("phy", "packets", "x", "--message", "a", "--key", "0"), "needs --counter"),
        (("sniff", "x.cs8", "--rate", "4MHz", "--key", "00"), "for packets of chips"),
    ],
)
def test_what_is_refused(call: tuple[str, ...], words: str, tmp_path: Path) -> None:
    (tmp_path / "x.cs8").write_bytes(bytes(8))
    assert_misuse(samara(*call, folder=tmp_path), words)


def test_a_picture_of_the_spectrum(tmp_path: Path) -> None:
    samara(
        *("phy", "packets", "air", "--message", "hello", "-o", "pictures"),
        folder=tmp_path,
    )
    drawn = (tmp_path / "pictures" / "spectrum.svg").read_text("utf-8")
    assert "</svg>" in drawn
