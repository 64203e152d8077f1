# SPDX-License-Identifier: Apache-2.0
"""The wrappers with the largest sizes that their registers hold (loaded by cocotb).

On bench_axi.v (RTL_WIDTHS has one width) or samara_grain128_spi. In Icarus, in which a
test can move the place of the next word forward: nobody waits for 4 GiB.
"""

from __future__ import annotations

import os
from typing import Any

import axi_driver as axi
import cocotb
import spi_driver as spi
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

HEAD = 3
"""Bytes of the length of 65535 bytes of associated data, in DER."""
AD_SIZE = 0xFFFF
AXI_SIZE = 0xFFFFFFFF
SPI_SIZE = 0xFFFF
_BEFORE = 16
"""Bytes that are left to a boundary from the place that is set."""


class _Feed:
    """Beats that are offered and taken without end, and what came of them."""

    def __init__(self, chip: axi.Chip) -> None:
        self.chip = chip
        self.out = 0
        """Bytes that came out."""
        self.packets = 0

    @property
    def beats(self) -> int:
        """Beats that the chip has taken."""
        return int(self.chip.dut.s_beats.value)

    async def beats_in(self, count: int, *, is_last: bool = False) -> None:
        """Offer so many beats."""
        dut, first = self.chip.dut, self.beats
        while (done := self.beats - first) < count:
            dut.s_axis_tvalid.value = 1
            dut.s_axis_tlast.value = is_last and done == count - 1
            await self.clocks(1)
        dut.s_axis_tvalid.value = 0
        await self.clocks(64)

    async def clocks(self, count: int) -> None:
        """Take what comes out."""
        self.chip.dut.m_axis_tready.value = 1
        for _ in range(count):
            if (beat := self.chip.offered()) is not None:
                self.out += len(beat.data)
                self.packets += beat.is_last
            await FallingEdge(self.chip.clk)


@cocotb.test(skip="RTL_WIDTHS" not in os.environ)
async def of_registers(bench: Any) -> None:
    width = int(os.environ["RTL_WIDTHS"])
    bench.on.value = width
    Clock(bench.clk, 10, "ns").start(start_high=False)
    chip = axi.Chip(bench, width)
    await chip.begin()
    await chip.write_bytes(axi.KEY, bytes(16))
    await chip.write_bytes(axi.NONCE, bytes(12))
    for address, size in ((axi.AD_SIZE, AD_SIZE), (axi.SIZE, AXI_SIZE)):
        await chip.write(address, size)
        assert await chip.read(address) == size
    await chip.write(axi.CONTROL, axi.SEAL)

    # A beat has bytes from `offset` on, behind those of the length.
    offset = HEAD % chip.beat_bytes
    boundary = HEAD + AD_SIZE
    end = boundary + AXI_SIZE
    place = chip.dut.chip.format.place
    feed = _Feed(chip)
    await feed.beats_in(8 // chip.beat_bytes)
    assert 0 < int(place.value) < boundary

    # To the last byte of associated data, and then into the message.
    place.value = boundary - _BEFORE - (boundary - _BEFORE) % chip.beat_bytes
    await feed.clocks(1)
    left = boundary - int(place.value) - offset
    await feed.beats_in(left // chip.beat_bytes)
    assert feed.out == 0, "associated data that comes out"
    await feed.beats_in(8 // chip.beat_bytes)
    done = int(place.value) - boundary
    assert 0 < done <= 8 + chip.beat_bytes

    # To the last byte of the message.
    place.value = end - _BEFORE - (end - _BEFORE) % chip.beat_bytes
    await feed.clocks(1)
    done += end - int(place.value)
    left = end - int(place.value) - offset
    await feed.beats_in(-(-left // chip.beat_bytes), is_last=True)
    assert await chip.wait_for(axi.HAS_TAG | axi.WRONG_END) & axi.HAS_TAG
    assert (feed.out, feed.packets) == (done, 1)


@cocotb.test(skip="RTL_WIDTHS" in os.environ)
async def of_the_port(dut: Any) -> None:
    port = spi.Port(dut)
    await port.begin()
    await port.transaction(spi.KEY, bytes(16))
    await port.start(spi.SEAL, bytes(12), AD_SIZE, SPI_SIZE)
    await port.wait_for(spi.TAKES_DATA)
    await port.transaction(spi.DATA, bytes(4))
    place, boundary = dut.format.place, HEAD + AD_SIZE
    assert int(place.value) == HEAD + 4

    # To the last two bytes of associated data, and then into the message.
    place.value = boundary - 2
    _, answers = await port.transaction(spi.DATA, bytes(20))
    assert not any(answers[:4]), "associated data that comes out"
    assert all(any(answers[i : i + 4]) for i in (4, 8, 12, 16)), "no message"

    # To the last byte of the message.
    place.value = boundary + SPI_SIZE - 2
    await port.transaction(spi.DATA, bytes(1))
    assert await port.status() & (spi.TAKES_DATA | spi.HAS_TAG) == spi.TAKES_DATA
    await port.transaction(spi.DATA, bytes(1))
    await port.wait_for(spi.HAS_TAG)
    assert await port.status() == spi.HAS_TAG | spi.HAS_KEY
