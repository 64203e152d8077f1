# SPDX-License-Identifier: Apache-2.0
"""What drives samara_grain128_axi: its registers and its two streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cocotb
from cocotb.triggers import FallingEdge, Timer, ValueChange

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION, CONTROL, STATUS, AD_SIZE, SIZE = 0x00, 0x04, 0x08, 0x0C, 0x10
KEY, NONCE, TAG = 0x20, 0x30, 0x40
SEAL, OPEN, CLEAR, STOPPED = 1, 2, 4, 8
READY, HAS_TAG, VERIFIED, FAILED, HAS_NONCE, HAS_KEY, WRONG_END, DRAINS = (
    1 << bit for bit in range(8)
)

# Between two reads of STATUS.
_POLL_CLOCKS = 7


class BusError(Exception):
    """An access was answered with PSLVERR."""


@dataclass(slots=True)
class CoreAnswer:
    """What a message gave."""

    output: bytes
    tag: bytes | None
    verified: bool | None


@dataclass(frozen=True, slots=True)
class Beat:
    """A beat of the output."""

    data: bytes
    """The bytes that tkeep names."""
    is_last: bool
    is_full: bool


CLOSING = Beat(b"", is_last=True, is_full=False)
"""What ends a packet that a clear has cut off."""


def never() -> bool:
    """Do not stall."""
    return False


class Chip:
    """A core behind registers and streams.

    ``stalls_input`` and ``stalls_output`` are asked before each beat, again and again,
    whether that side waits for a clock.
    """

    def __init__(self, bench: Any, bits: int) -> None:
        self.clk = bench.clk
        self.bits = bits
        self.dut = getattr(bench, f"axi_{bits}")
        self.beat_bytes = 1 if bits <= 16 else bits // 16
        self.stalls_input: Callable[[], bool] = never
        self.stalls_output: Callable[[], bool] = never

    async def begin(self) -> None:
        """Reset, and wait until the core is ready."""
        self.dut.reset_n.value = 0
        await self.clocks(3)
        self.dut.reset_n.value = 1
        await self.clocks(1)
        await self.wait_for(READY)

    async def clocks(self, count: int) -> None:
        """Pass clocks, to a falling edge."""
        for _ in range(count):
            await FallingEdge(self.clk)

    async def write(self, address: int, value: int) -> None:
        """Write a register."""
        dut = self.dut
        await self.clocks(1)
        dut.psel.value, dut.pwrite.value = 1, 1
        dut.paddr.value, dut.pwdata.value = address, value
        is_error = await self._access()
        dut.pwrite.value = 0
        if is_error:
            raise BusError(f"write of 0x{address:02x}")

    async def read(self, address: int) -> int:
        """Read a register."""
        dut = self.dut
        await self.clocks(1)
        dut.psel.value, dut.paddr.value = 1, address
        is_error = await self._access()
        if is_error:
            assert int(dut.prdata.value) == 0, "data with an error"
            raise BusError(f"read of 0x{address:02x}")
        return self._data

    async def clear(self, command: int = CLEAR) -> Beat | None:
        """Write CONTROL; return the beat that was offered when the chip took it."""
        await self.write(CONTROL, command)
        return self._offered

    async def _access(self) -> bool:
        """Pass the two clocks of an access; tell whether it is an error."""
        dut = self.dut
        await self.clocks(1)
        dut.penable.value = 1
        await Timer(1, "ns")
        assert int(dut.pready.value) == 1
        is_error = bool(int(dut.pslverr.value))
        self._data = int(dut.prdata.value)
        self._offered = self.offered()
        await self.clocks(1)
        dut.psel.value, dut.penable.value = 0, 0
        return is_error

    async def write_bytes(self, address: int, data: bytes) -> None:
        """Write registers that hold bytes."""
        for place in range(0, len(data), 4):
            word = int.from_bytes(data[place : place + 4], "little")
            await self.write(address + place, word)

    async def wait_for(self, bits: int) -> int:
        """Read STATUS until one of the bits is set."""
        while not (status := await self.read(STATUS)) & bits:
            await self.clocks(_POLL_CLOCKS)
        return status

    async def message(
        self,
        key: bytes | None,
        nonce: bytes,
        ad: bytes,
        message: bytes,
        tag: bytes | None = None,
    ) -> CoreAnswer:
        """Seal a message, or open it when there is a tag; None keeps the key."""
        await self.start(key, nonce, ad, message, tag)
        sender = cocotb.start_soon(self.send(ad + message))
        output = await self.receive(len(message))
        await sender
        status = await self.wait_for(HAS_TAG if tag is None else VERIFIED | FAILED)
        await self.wait_for(READY)
        assert not int(self.dut.bad.value), "a beat changed before it was taken"
        if tag is not None:
            assert not status & HAS_TAG, "a tag of what was opened"
            assert bool(status & VERIFIED) != bool(status & FAILED)
            return CoreAnswer(output, None, bool(status & VERIFIED))
        assert not status & (VERIFIED | FAILED), "verified when sealing"
        words = [await self.read(TAG), await self.read(TAG + 4)]
        sealed = b"".join(word.to_bytes(4, "little") for word in words)
        return CoreAnswer(output, sealed, None)

    async def start(
        self,
        key: bytes | None,
        nonce: bytes,
        ad: bytes,
        message: bytes,
        tag: bytes | None = None,
    ) -> None:
        """Write the registers, CONTROL at last."""
        if key is not None:
            await self.write_bytes(KEY, key)
        await self.write_bytes(NONCE, nonce)
        await self.write(AD_SIZE, len(ad))
        await self.write(SIZE, len(message))
        if tag is not None:
            await self.write_bytes(TAG, tag)
        await self.write(CONTROL, SEAL if tag is None else OPEN)

    async def send(self, data: bytes, last: int | None = None) -> None:
        """Send beats; tlast is with the beat of this number, usually the last one."""
        dut = self.dut
        places = range(0, len(data), self.beat_bytes)
        for number, place in enumerate(places):
            while self.stalls_input():
                await self.clocks(1)
            beat = data[place : place + self.beat_bytes]
            dut.s_axis_tdata.value = int.from_bytes(beat, "little")
            is_last = number == (len(places) - 1 if last is None else last)
            dut.s_axis_tlast.value = is_last
            dut.s_axis_tvalid.value = 1
            await ValueChange(dut.s_beats)
            dut.s_axis_tvalid.value = 0

    async def receive(self, size: int) -> bytes:
        """Receive a packet of so many bytes: full beats, and tlast with the last."""
        output = b""
        while len(output) < size:
            while self.stalls_output():
                await self.clocks(1)
            beat = await self.take_beat()
            output += beat.data
            assert beat.is_last == (len(output) == size), "tlast"
            assert beat.is_full or beat.is_last, "a gap within a packet"
        assert len(output) == size, "bytes behind the packet's end"
        return output

    async def take_beat(self) -> Beat:
        """Take one beat of the output."""
        dut = self.dut
        dut.m_axis_tready.value = 1
        await ValueChange(dut.m_beats)
        # All registers have moved then.
        await Timer(1, "ns")
        dut.m_axis_tready.value = 0
        return self._beat(dut.m_data, dut.m_keep, dut.m_last)

    def offered(self) -> Beat | None:
        """Return the beat that waits to be taken."""
        dut = self.dut
        if not int(dut.m_axis_tvalid.value):
            return None
        return self._beat(dut.m_axis_tdata, dut.m_axis_tkeep, dut.m_axis_tlast)

    def _beat(self, data: Any, keep: Any, last: Any) -> Beat:
        lanes = int(data.value).to_bytes(self.beat_bytes, "little")
        size = int(keep.value).bit_length()
        assert int(keep.value) == 2**size - 1, "a gap within a beat"
        return Beat(lanes[:size], bool(int(last.value)), size == self.beat_bytes)


class Sender:
    """What sends a packet while the test goes on, as a DMA does."""

    def __init__(self, chip: Chip, data: bytes, last: int | None = None) -> None:
        self._chip = chip
        self._data = data
        self._last = last
        self._task: Any = None
        self._before = int(chip.dut.s_beats.value)

    @property
    def count(self) -> int:
        """Beats that the chip has taken."""
        return int(self._chip.dut.s_beats.value) - self._before

    def begin(self) -> None:
        """Begin to send."""
        self._task = cocotb.start_soon(self._chip.send(self._data, self._last))

    def stop(self) -> None:
        """Send nothing more."""
        self._task.cancel()
        self._task = None
        self._chip.dut.s_axis_tvalid.value = 0

    async def ended(self) -> None:
        """Wait until all is sent, if it was not stopped."""
        if self._task is not None:
            await self._task
