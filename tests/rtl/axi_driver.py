# SPDX-License-Identifier: Apache-2.0
"""What drives samara_grain128_axi: its registers and its two streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, First, Timer, ValueChange

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION, CONTROL, STATUS, AD_SIZE, SIZE = 0x00, 0x04, 0x08, 0x0C, 0x10
KEY, NONCE, TAG = 0x20, 0x30, 0x40
SEAL, OPEN, CLEAR = 1, 2, 4
READY, HAS_TAG, VERIFIED, FAILED, HAS_NONCE = 1, 2, 4, 8, 16


class BusError(Exception):
    """An access was answered with PSLVERR."""


@dataclass(slots=True)
class Outcome:
    """What a message gave."""

    output: bytes
    tag: bytes | None
    verified: bool | None


def never() -> bool:
    """Do not stall."""
    return False


class Chip:
    """A core behind registers and streams.

    ``stalls_input`` and ``stalls_output`` are asked before each beat whether that
    side waits for a clock.
    """

    def __init__(
        self,
        dut: Any,
        stalls_input: Callable[[], bool] = never,
        stalls_output: Callable[[], bool] = never,
    ) -> None:
        self.dut = dut
        self.beat_bytes = len(dut.s_axis_tdata) // 8
        self.stalls_input = stalls_input
        self.stalls_output = stalls_output

    async def begin(self) -> None:
        """Start the clock, reset, and wait until the core is ready."""
        dut = self.dut
        for port in (
            *("psel", "penable", "pwrite", "paddr", "pwdata"),
            *("s_axis_tvalid", "s_axis_tdata", "m_axis_tready", "reset_n"),
        ):
            getattr(dut, port).value = 0
        Clock(dut.clk, 10, "ns").start(start_high=False)
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.reset_n.value = 1
        await FallingEdge(dut.clk)
        await self.wait_for(READY)

    async def write(self, address: int, value: int) -> None:
        """Write a register."""
        dut = self.dut
        dut.psel.value, dut.pwrite.value = 1, 1
        dut.paddr.value, dut.pwdata.value = address, value
        await FallingEdge(dut.clk)
        dut.penable.value = 1
        await Timer(1, "ns")
        is_error = bool(int(dut.pslverr.value))
        await FallingEdge(dut.clk)
        dut.psel.value, dut.penable.value, dut.pwrite.value = 0, 0, 0
        if is_error:
            raise BusError(f"write of 0x{address:02x}")

    async def read(self, address: int) -> int:
        """Read a register."""
        dut = self.dut
        dut.psel.value, dut.paddr.value = 1, address
        await FallingEdge(dut.clk)
        dut.penable.value = 1
        await Timer(1, "ns")
        value, is_error = int(dut.prdata.value), bool(int(dut.pslverr.value))
        await FallingEdge(dut.clk)
        dut.psel.value, dut.penable.value = 0, 0
        if is_error:
            raise BusError(f"read of 0x{address:02x}")
        return value

    async def write_bytes(self, address: int, data: bytes) -> None:
        """Write registers that hold bytes."""
        for place in range(0, len(data), 4):
            await self.write(
                address + place, int.from_bytes(data[place : place + 4], "little")
            )

    async def wait_for(self, bits: int) -> int:
        """Read STATUS until one of the bits is set."""
        while not (status := await self.read(STATUS)) & bits:
            await Timer(200, "ns")
            await FallingEdge(self.dut.clk)
        return status

    async def message(
        self,
        key: bytes | None,
        nonce: bytes,
        ad: bytes,
        message: bytes,
        tag: bytes | None = None,
    ) -> Outcome:
        """Seal a message, or open it when there is a tag; None keeps the key."""
        if key is not None:
            await self.write_bytes(KEY, key)
        await self.write_bytes(NONCE, nonce)
        await self.write(AD_SIZE, len(ad))
        await self.write(SIZE, len(message))
        if tag is not None:
            await self.write_bytes(TAG, tag)
        await self.write(CONTROL, SEAL if tag is None else OPEN)
        sender = cocotb.start_soon(self._send(ad + message))
        output = await self._receive(len(message))
        await sender
        status = await self.wait_for(HAS_TAG if tag is None else VERIFIED | FAILED)
        if tag is not None:
            return Outcome(output, None, bool(status & VERIFIED))
        words = [await self.read(TAG), await self.read(TAG + 4)]
        sealed = b"".join(word.to_bytes(4, "little") for word in words)
        return Outcome(output, sealed, None)

    async def _send(self, data: bytes) -> None:
        dut = self.dut
        for place in range(0, len(data), self.beat_bytes):
            while self.stalls_input():
                await FallingEdge(dut.clk)
            beat = data[place : place + self.beat_bytes]
            dut.s_axis_tdata.value = int.from_bytes(beat, "little")
            dut.s_axis_tvalid.value = 1
            await self._until(dut.s_axis_tready)
            await FallingEdge(dut.clk)
            dut.s_axis_tvalid.value = 0

    async def _receive(self, size: int) -> bytes:
        dut = self.dut
        output = b""
        while len(output) < size:
            while self.stalls_output():
                await FallingEdge(dut.clk)
            dut.m_axis_tready.value = 1
            await self._until(dut.m_axis_tvalid)
            data = int(dut.m_axis_tdata.value).to_bytes(self.beat_bytes, "little")
            keep = int(dut.m_axis_tkeep.value)
            output += bytes(byte for i, byte in enumerate(data) if keep >> i & 1)
            is_last = bool(int(dut.m_axis_tlast.value))
            assert is_last == (len(output) == size), "tlast"
            await FallingEdge(dut.clk)
            dut.m_axis_tready.value = 0
        return output

    async def _until(self, signal: Any) -> None:
        """Wait until a signal is 1 shortly before a rising edge of the clock."""
        await Timer(4, "ns")
        while not int(signal.value):
            await First(ValueChange(signal), Timer(100, "us"))
            # Changes come at edges: from there to the end of that clock.
            if int(self.dut.clk.value):
                await FallingEdge(self.dut.clk)
            await Timer(4, "ns")
