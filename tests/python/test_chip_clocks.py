# SPDX-License-Identifier: Apache-2.0
"""The clocks of messages, counted by hand; stage `rtl` compares with simulations."""

from __future__ import annotations

import pytest

from samara.chip import clocks
from samara.chip.design import WIDTHS, Core, Variant, core
from samara.errors import MisuseError


def test_parts_of_a_message_counted_by_hand() -> None:
    # start 1, load 16, start-up 48, fill 32; 17 bytes in words of 4 bits 34, the bit
    # behind them 1, end 1.
    assert clocks.message_clocks(core("grain-n8"), 0, 16) == 1 + 16 + 48 + 32 + 34 + 2
    # Serial: two clocks a bit but the last, 2 for the bit behind, tag 64 + 1, end 1.
    serial = 1 + 128 + 384 + 128 + (2 * 8 * 17 - 1) + 2 + 65 + 1
    assert clocks.message_clocks(core("grain-n1"), 0, 16, opens=True) == serial
    # 17 bytes in words of 4: room for the bit behind the message in the fifth word.
    assert clocks.message_clocks(core("grain-n64"), 0, 16) == 13 + 5 + 1
    # 16 bytes: no room.
    assert clocks.message_clocks(core("grain-n64"), 0, 15) == 13 + 4 + 1 + 1


@pytest.mark.parametrize("n", WIDTHS)
def test_an_isolated_authenticator_takes_a_clock_more(n: int) -> None:
    plain, fast, low_power = (
        clocks.message_clocks(Core(n, variant), 3, 8) for variant in Variant
    )
    assert fast == plain + 1
    assert low_power == plain + (n >= 16)


@pytest.mark.parametrize(
    ("ad_bytes", "length_bytes"),
    [(0, 1), (127, 1), (128, 2), (255, 2), (256, 3), (65535, 3), (65536, 4)],
)
def test_lengths_as_der_has_them(ad_bytes: int, length_bytes: int) -> None:
    assert clocks.length_bytes(ad_bytes) == length_bytes


def test_keystream_and_clear() -> None:
    ple = core("grain-ple-n32")
    assert clocks.keystream_clocks(ple, 65) == 1 + (512 + 128) // 32 + 3
    assert clocks.clear_clocks(ple) == 4


def test_what_a_core_cannot_do_is_refused() -> None:
    with pytest.raises(MisuseError, match="keystream_clocks"):
        clocks.message_clocks(core("grain-ple-n1"), 0, 0)
    with pytest.raises(MisuseError, match="message_clocks"):
        clocks.keystream_clocks(core("grain-n1"), 8)
    with pytest.raises(MisuseError, match="negative"):
        clocks.message_clocks(core("grain-n1"), 0, -1)
