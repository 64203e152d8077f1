# SPDX-License-Identifier: Apache-2.0
"""The serial wrapper: clear and reset at every stage of a message (loaded by cocotb).

Behind them every register is as it was behind the first reset. In Icarus, which shows
every register.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cocotb
import messages
import spi_driver as spi
from cocotb.triggers import FallingEdge, ReadOnly
from registers import held_by

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

KEY = bytes(range(0x81, 0x91))
NONCE = bytes(range(0xC1, 0xCD))
AD, MESSAGE = bytes((0xA5,)) * 3, bytes((0xFF,)) * 9


class Stages:
    """What a message has come to when it ends: each method is a stage."""

    def __init__(self, port: spi.Port) -> None:
        self.port = port

    async def _begins(self, command: int) -> None:
        await self.port.transaction(spi.KEY, KEY)
        await self.port.start(command, NONCE, len(AD), len(MESSAGE))
        await self.port.wait_for(spi.TAKES_DATA)

    async def part_of_key(self) -> None:
        await self.port.transaction(spi.KEY, KEY[:15])

    async def key_and_part_of_nonce(self) -> None:
        await self.port.transaction(spi.KEY, KEY)
        await self.port.transaction(spi.NONCE, NONCE[:11])

    async def key_and_nonce(self) -> None:
        await self.port.transaction(spi.KEY, KEY)
        await self.port.transaction(spi.NONCE, NONCE)

    async def start_up(self) -> None:
        await self.port.transaction(spi.KEY, KEY)
        await self.port.start(spi.OPEN, NONCE, len(AD), len(MESSAGE))

    async def overrun(self) -> None:
        await self.start_up()
        dut = self.port.dut
        if int(dut.core_ready.value) or int(dut.in_ready.value):
            return  # start-up ends before a byte can come
        await self.port.transaction(spi.DATA, MESSAGE)

    async def associated_data(self) -> None:
        await self._begins(spi.SEAL)
        await self.port.transaction(spi.DATA, AD[:2])

    async def sealed_half(self) -> None:
        await self._begins(spi.SEAL)
        await self.port.transaction(spi.DATA, AD + MESSAGE[:4])

    async def opened_half(self) -> None:
        await self._begins(spi.OPEN)
        await self.port.transaction(spi.DATA, AD + MESSAGE[:4])

    async def tag_waits(self) -> None:
        await self._begins(spi.SEAL)
        await self.port.transaction(spi.DATA, AD + MESSAGE)
        await self.port.wait_for(spi.HAS_TAG)

    async def half_a_tag_was_read(self) -> None:
        await self.tag_waits()
        await self.port.transaction(spi.TAG, bytes(4))

    async def half_a_tag_came(self) -> None:
        await self._begins(spi.OPEN)
        await self.port.transaction(spi.DATA, AD + MESSAGE + b"rece")

    async def refused(self) -> None:
        await self._begins(spi.OPEN)
        await self.port.transaction(spi.DATA, AD + MESSAGE + b"received")
        await self.port.wait_for(spi.FAILED)

    async def verified(self) -> None:
        sealed = messages.SUITE.seal(KEY, NONCE, MESSAGE, AD)
        await self._begins(spi.OPEN)
        await self.port.transaction(spi.DATA, AD + sealed)
        await self.port.wait_for(spi.VERIFIED)


async def by_command(port: spi.Port) -> None:
    await port.transaction(spi.CLEAR)


async def by_reset(port: spi.Port) -> None:
    await FallingEdge(port.dut.clk)
    port.dut.reset_n.value = 0
    await FallingEdge(port.dut.clk)
    port.dut.reset_n.value = 1


async def settled(port: spi.Port) -> dict[str, str]:
    """Return all registers, when the core is clear."""
    for _ in range(128 // int(port.dut.N.value) + 8):
        await FallingEdge(port.dut.clk)
    await ReadOnly()
    assert int(port.dut.core_ready.value)
    registers = held_by(port.dut)
    await FallingEdge(port.dut.clk)
    return registers


@cocotb.test()
async def as_after_reset(dut: Any) -> None:
    port = spi.Port(dut)
    await port.begin()
    await by_reset(port)
    empty = await settled(port)
    stages = Stages(port)
    names = [name for name in vars(Stages) if not name.startswith("_")]
    assert len(names) > 10
    for name in names:
        for ends in (by_command, by_reset):
            reach: Callable[[], Awaitable[None]] = getattr(stages, name)
            await reach()
            assert held_by(dut) != empty, f"{name}: nothing to clear"
            await ends(port)
            full = await settled(port)
            rest = {path: bits for path, bits in full.items() if bits != empty[path]}
            assert not rest, (name, ends.__name__, rest)


@cocotb.test()
async def at_once(dut: Any) -> None:
    """A byte that waits for the core is gone in the clock of the command."""
    port = spi.Port(dut)
    await port.begin()
    await Stages(port).half_a_tag_came()
    assert int(dut.held.value), "nothing was taken"
    dut.cs_n.value = 0
    cleared = cocotb.start_soon(port.transaction(spi.CLEAR))
    while not int(dut.clear.value):
        await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    for name in ("held", "bytes_before", "sizes", "out_byte", "bits_out", "tag_bytes"):
        assert int(getattr(dut, name).value) == 0, name
    assert int(dut.source.key.value) == int(dut.source.start.value) == 0
    await cleared
