# SPDX-License-Identifier: Apache-2.0
"""Packets of transceiver chips, sent by a modulator of our own and GNU Radio's."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from fsk_signals import WHITE_SEMTECH, WHITE_TI, bits, crc16, fsk, whitened
from gnuradio import blocks, digital, gr
from shell import assert_misuse, samara
from spread_signals import noise, on_air

from samara.phy.receivers.front_end import FrontEnd
from samara.phy.recordings import write_recording
from samara.phy.transceivers.packet_formats import Check
from samara.phy.transceivers.profile import profiles
from samara.sniffer.chips import ChipPackets

if TYPE_CHECKING:
    from pathlib import Path

    from fsk_signals import Samples

    from samara.phy.receivers.streaming import Packet

NAMES = ("cc1101", "cc1101-msk", "nrf24", "si446x", "sx126x")
PAYLOADS = (b"1", b"21.5 C", bytes(range(19)))


def packet(name: str, payload: bytes) -> tuple[list[int], bytes]:
    """Return the bits of a packet after its sync word, and what a sniffer shows."""
    counted = bytes([len(payload)]) + payload
    if name == "nrf24":
        control = f"{len(payload):06b}" + "10" + "0"
        text = bits([bytes.fromhex("e7" * 5), control, payload])
        # The remainder of bits: zeros in front of an initial value of 0 change nothing.
        remainder = Check(16, 0x1021, 0xFFFF).of(np.array(text, np.uint8))
        tail = remainder.to_bytes(2, "big")
        shown = int(control, 2).to_bytes(2, "big") + payload + tail
        return bits([control, payload, tail]), shown
    polynomial, initial, final = {
        "cc1101": (0x8005, 0xFFFF, 0),
        "si446x": (0x1021, 0xFFFF, 0),
        "sx126x": (0x1021, 0x1D0F, 0xFFFF),
    }[name.removesuffix("-msk")]
    sequence = crc16(counted, polynomial, initial) ^ final
    shown = counted + sequence.to_bytes(2, "big")
    white = {"cc1101": WHITE_TI, "sx126x": WHITE_SEMTECH}.get(
        name.removesuffix("-msk"), bytes(99)
    )
    return bits([whitened(shown, white)]), shown


def sent_bits(name: str, payload: bytes) -> list[int]:
    profile = profiles()[name]
    after, _ = packet(name, payload)
    return bits([profile.preamble * 2, profile.sync]) + after + [0, 1]


def heard(name: str, samples: Samples, piece: int = 10_007) -> list[Packet]:
    receiver = ChipPackets(profiles()[name]).receiver()
    found: list[Packet] = []
    for start in range(0, len(samples), piece):
        found += receiver.feed(samples[start : start + piece])
    return [*found, *receiver.finish()]


def test_there_is_a_profile_for_each_chip() -> None:
    assert tuple(profiles()) == NAMES
    for profile in profiles().values():
        assert 4.8e3 <= profile.keying.bit_rate <= 1e6
        assert profile.source


def test_known_check_sequences() -> None:
    digits = np.unpackbits(np.frombuffer(b"123456789", np.uint8))
    # CRC-16/IBM-3740, /CMS and /SPI-FUJITSU of the catalogue of parametrised CRCs.
    assert Check(16, 0x1021, 0xFFFF).of(digits) == 0x29B1
    assert Check(16, 0x8005, 0xFFFF).of(digits) == 0xAEE7
    assert Check(16, 0x1021, 0x1D0F, 0xFFFF).of(digits) == 0xE5CC ^ 0xFFFF


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("snr_db", "offset", "ppm"), [(25, 0, 0), (15, 0.15, 60), (9, -0.1, -60)]
)
def test_packets_with_offsets_noise_and_other_clocks(
    name: str, snr_db: float, offset: float, ppm: float
) -> None:
    keying = profiles()[name].keying
    hertz = offset * keying.bit_rate
    signals = [
        fsk(
            sent_bits(name, payload),
            bit_rate=keying.bit_rate, deviation=keying.deviation,
            rate=keying.sample_rate, offset_hz=hertz, clock_ppm=ppm, phase=i / 5,
        )
        for i, payload in enumerate(PAYLOADS)
    ]  # fmt: skip
    found = heard(name, on_air(signals, (700, 40, 3000), snr_db))
    good = [each for each in found if each.is_intact]
    assert [each.content for each in good] == [packet(name, p)[1] for p in PAYLOADS]
    for each in good:
        assert each.offset_hz == pytest.approx(hertz, abs=0.06 * keying.bit_rate)


@pytest.mark.parametrize("bit_rate", [4.8e3, 250e3, 500e3])
@pytest.mark.parametrize("index", [0.5, 1.0, 4.0])
def test_other_rates_and_modulation_indices(
    bit_rate: float, index: float, tmp_path: Path
) -> None:
    profile = tmp_path / "mine.toml"
    profile.write_text(
        f'title = "mine"\nsource = "mine"\nbit_rate = {bit_rate}\n'
        f"deviation = {index * bit_rate / 2}\n"
        'preamble = "aaaa"\nsync = "2dd4"\nlayout = "fixed"\nlongest = 5\n'
        "check = { bits = 16, polynomial = 0x1021, initial = 0 }\n"
    )
    content = b"hello" + crc16(b"hello", 0x1021, 0).to_bytes(2, "big")
    rate = 40 * bit_rate
    wave = fsk(
        bits([bytes.fromhex("aaaaaa2dd4"), content, "0"]),
        bit_rate=bit_rate, deviation=index * bit_rate / 2, rate=rate,
        bandwidth_time=0,
    )  # fmt: skip
    write_recording(tmp_path / "air", on_air([wave], (5000,), 10), rate)
    done = samara("sniff", "air", "--profile", profile, "--json", folder=tmp_path)
    first, last = map(json.loads, done.stdout.splitlines())
    assert bytes.fromhex(first["hex"]) == content
    assert (first["is_intact"], last["intact"]) == (True, 1)


def test_gnu_radio_s_gfsk_modulator() -> None:
    keying = profiles()["si446x"].keying
    text = sent_bits("si446x", b"from GNU Radio")
    text += [0] * (-len(text) % 8)
    content = np.packbits(text).tolist()
    sensitivity = 2 * math.pi * keying.deviation / keying.sample_rate
    flow, sink = gr.top_block(), blocks.vector_sink_c()
    source = blocks.vector_source_b([0xAA] * 4 + content + [0x55] * 4)
    modulator = digital.gfsk_mod(keying.samples, sensitivity, 0.5)
    flow.connect(source, modulator, sink)
    flow.run()
    samples = np.array(sink.data(), np.complex64)
    found = heard("si446x", on_air([samples], (100,), 20))
    assert [each.content for each in found if each.is_intact] == [
        packet("si446x", b"from GNU Radio")[1]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_in_noise_tones_and_damaged_packets(name: str) -> None:
    count = 100_000
    tone = np.exp(2j * np.pi * 0.02 * np.arange(count)).astype(np.complex64)
    keying = profiles()[name].keying
    text = sent_bits(name, b"a packet with one wrong bit")
    text[-30] ^= 1
    damaged = fsk(
        text, bit_rate=keying.bit_rate, deviation=keying.deviation,
        rate=keying.sample_rate,
    )  # fmt: skip
    for samples in (noise(count, 1.0, 4), tone, on_air([damaged], (500,), 20)):
        assert [each for each in heard(name, samples) if each.is_intact] == []


def test_pieces_of_any_size_give_the_same() -> None:
    keying = profiles()["cc1101"].keying
    waves = [
        fsk(
            sent_bits("cc1101", payload),
            bit_rate=keying.bit_rate, deviation=keying.deviation,
            rate=keying.sample_rate,
        )
        for payload in PAYLOADS
    ]  # fmt: skip
    samples = on_air(waves, (90, 50_000, 12), 15)
    whole = heard("cc1101", samples, len(samples))
    assert sum(each.is_intact for each in whole) == len(PAYLOADS)
    for piece in (997, 8192):
        assert heard("cc1101", samples, piece) == whole


def test_a_neighbour_is_kept_out() -> None:
    keying = profiles()["cc1101"].keying
    near, far = (
        fsk(
            sent_bits("cc1101", payload),
            bit_rate=keying.bit_rate, deviation=keying.deviation,
            rate=2e6, offset_hz=offset,
        )
        for payload, offset in ((b"near", 0.0), (b"away", 400e3))
    )  # fmt: skip
    both = on_air([near + 5 * far], (8000,), 30)
    front_end = FrontEnd(2e6, keying.sample_rate)
    found = heard("cc1101", front_end.feed(both))
    assert [each.content for each in found if each.is_intact] == [
        packet("cc1101", b"near")[1]
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('sync = "d391"', ""), "lacks sync"),
        (('sync = "d391"', 'sync = ""'), "sync has 0 bytes, not 1 to 64"),
        (('sync = "d391"', f'sync = "{65 * "aa"}"'), "sync has 65 bytes"),
        (('preamble = "aa"', 'preamble = "a"'), "non-hexadecimal"),
        (('preamble = "aa"', f'preamble = "{65 * "aa"}"'), "preamble has 65 bytes"),
        (("bit_rate = 1", "bit_rate = nan"), "bit_rate of the profile x.toml is nan"),
        (("bit_rate = 1", "bit_rate = 0"), "bit_rate is 0, not from 1 to"),
        (("bit_rate = 1", f"bit_rate = {400 * '9'}"), "expected a number"),
        (("deviation = 1", "deviation = 1e9"), "deviation is 1000000000.0, not"),
        (("deviation = 1", "deviation = 101"), "deviation over bit_rate is 101.0"),
        (("deviation = 1", "deviation = 1\nbandwidth_time = -1"), "bandwidth_time is"),
        (("deviation = 1", "deviation = 1\nbandwidth_time = 1e-308"), "from 0.1 to 10"),
        (("longest = 9", "longest = 0"), "longest is 0, not from 1 to 255"),
        (("longest = 9", "longest = 256"), "longest is 256, not from 1 to 255"),
        (("longest = 9", "longest = inf"), "expected a whole number"),
        (("bits = 16", "bits = {}"), "expected a whole number"),
        (("bits = 16", "bits = 0"), "bits of check is 0, not from 1 to 64"),
        (("bits = 16", "bits = 4000000000"), "bits of check is 4000000000"),
        (("initial = 1", "initial = 65536"), "initial of check is 65536"),
        (("initial = 1", "initial = -1"), "initial of check is -1"),
        (('source = "x"', "source = 5"), "expected a text"),
        (("bit_rate = 1", "= 1"), "x.toml is not TOML"),
        (('"length-byte"', '"letters"'), "'letters' is not a valid Layout"),
        (("bits = 16", "bit = 16"), "lacks bits and has an unknown bit"),
    ],
)
def test_profiles_that_are_refused(
    change: tuple[str, str], words: str, tmp_path: Path
) -> None:
    text = (
        'title = "x"\nsource = "x"\nbit_rate = 1\ndeviation = 1\npreamble = "aa"\n'
        'sync = "d391"\nlayout = "length-byte"\nlongest = 9\n'
        "check = { bits = 16, polynomial = 1, initial = 1 }\n"
    )
    (tmp_path / "x.toml").write_text(text.replace(*change))
    (tmp_path / "x.cs8").write_bytes(bytes(8))
    done = samara(
        *("sniff", "x.cs8", "--rate", "1MHz", "--profile", "x.toml"), folder=tmp_path
    )
    assert_misuse(done, words)
