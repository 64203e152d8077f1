# SPDX-License-Identifier: Apache-2.0
"""What a host spends to feed a core: counts by hand, and by the wrappers' own tests."""

from __future__ import annotations

import re

import pytest

from samara.bench import devices, places
from samara.chip import feeding
from samara.chip.design import WIDTHS, Core, core, widths
from samara.errors import MisuseError
from samara.figure import Origin


def test_a_message_through_registers_by_hand() -> None:
    """3 words of NONCE, AD_SIZE, SIZE, CONTROL, STATUS, and 2 words of TAG."""
    feed = feeding.of_message(core("grain-n8"), 20, 16)
    # 36 bytes go in, and 20 come out, one in a beat.
    assert (feed.accesses, feed.beats, feed.port_bytes) == (9, 56, 0)
    assert feed.host_cycles() == 9 * 4 + 56 * 6
    # A host of 8 bits needs four accesses for a register, and one for a byte.
    assert feed.host_cycles(8) == 4 * 9 * 4 + 56 * 6
    assert feed.host_cycles(16) == 2 * 9 * 4 + 56 * 6
    assert feed.figure(16).value == feed.host_cycles(16)
    assert feed.figure().origin is Origin.ASSUMED
    opened = feeding.of_message(core("grain-n8"), 20, 16, opens=True, with_key=True)
    assert (opened.accesses, opened.beats) == (9 + 4, 56)


@pytest.mark.parametrize(("n", "size"), [(1, 1), (16, 1), (32, 2), (64, 4)])
def test_beats_are_as_wide_as_the_stream(n: int, size: int) -> None:
    # 21 bytes go in and 18 come out; the last beats are not full.
    feed = feeding.of_message(Core(n), 18, 3)
    assert feed.beat_bytes == size
    assert feed.beats == -(-21 // size) + -(-18 // size)
    parts = -(-8 * size // 16)
    assert feed.host_cycles(16) == 2 * 9 * 4 + feed.beats * parts * 6


def test_a_message_through_the_serial_port_by_hand() -> None:
    """NONCE 1 + 12, SEAL 1 + 4, STATUS 1, DATA 1 + 36 + 2, TAG 1 + 8."""
    sealed = feeding.of_message(core("grain-n1"), 20, 16, top="spi")
    assert (sealed.accesses, sealed.beats) == (0, 0)
    assert sealed.port_bytes == 13 + 5 + 1 + 39 + 9
    assert sealed.host_cycles() == sealed.host_cycles(8) == 67 * 2 * 4
    # DATA has the tag behind the message; then STATUS says whether it is genuine.
    opened = feeding.of_message(core("grain-n1"), 20, 16, top="spi", opens=True)
    assert opened.port_bytes == 13 + 5 + 1 + (1 + 36 + 8) + 1
    empty = feeding.of_message(core("grain-n1"), 0, top="spi", with_key=True)
    assert empty.port_bytes == 13 + 5 + 1 + 9 + 17


def test_the_registers_are_those_of_the_wrapper() -> None:
    """The header of the wrapper lists what is written and read for a message."""
    text = (places.root() / "rtl" / "samara_grain128_axi.v").read_text()
    words = dict(re.findall(r"//   0x\w\w  (NONCE|KEY|TAG) +\w+ +(\w+) words", text))
    numbers = {"Two": 2, "Three": 3, "Four": 4}
    counts = {name: numbers[word] for name, word in words.items()}
    single = re.findall(r"//   0x\w\w  (CONTROL|STATUS|AD_SIZE|SIZE) ", text)
    feed = feeding.of_message(core("grain-n1"), 1)
    assert feed.accesses == counts["NONCE"] + counts["TAG"] + len(single)
    keyed = feeding.of_message(core("grain-n1"), 1, with_key=True)
    assert keyed.accesses - feed.accesses == counts["KEY"]


def test_hosts_have_words_of_their_own() -> None:
    bits = {
        name: feeding.host_bits(devices.device(name))
        for name in ("atmega128rfa1", "msp430f1611", "cortex-m0")
    }
    assert bits == {"atmega128rfa1": 8, "msp430f1611": 16, "cortex-m0": 32}


def test_what_no_wrapper_takes_is_refused() -> None:
    for name, top, reason in (
        ("grain-n32", "spi", "N = 1 to 16, not 32"),
        ("grain-ple-n1", "axi", "makes a keystream"),
        ("grain-n1", "core", "use axi or spi"),
        ("grain-n1", "usb", "--top usb is unknown"),
    ):
        with pytest.raises(MisuseError, match=reason):
            feeding.of_message(core(name), 1, top=top)
    assert feeding.of_message(core("grain-n16"), 0xFFFF, top="spi").port_bytes > 0xFFFF
    with pytest.raises(MisuseError, match="65535 bytes"):
        feeding.of_message(core("grain-n16"), 0x10000, top="spi")
    assert widths("spi") == (1, 2, 4, 8, 16)
    assert widths("axi") == widths("core") == WIDTHS
