# SPDX-License-Identifier: Apache-2.0
"""What drives samara_grain128_spi: transactions on its serial port."""

from __future__ import annotations

from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

KEY, NONCE, SEAL, OPEN, DATA, TAG, CLEAR = range(1, 8)
READY, TAKES_DATA, HAS_TAG, VERIFIED, FAILED, OVERRUN, HAS_NONCE, HAS_KEY = (
    1 << bit for bit in range(8)
)

SHORTEST_HALF_NS = 51
"""Half of the shortest period of sck, 10 clocks of 10 ns, and a little more."""

# Reads of the status for one bit: start-up takes 641 clocks at most, a read over 80.
_MOST_POLLS = 50


class Port:
    """The serial port of one chip."""

    def __init__(self, dut: Any, half_ns: int = SHORTEST_HALF_NS) -> None:
        self.dut = dut
        self.half_ns = half_ns

    async def begin(self) -> None:
        """Start the clock, reset, and wait until the core is ready."""
        dut = self.dut
        dut.reset_n.value, dut.cs_n.value = 0, 1
        dut.sck.value, dut.mosi.value = 0, 0
        Clock(dut.clk, 10, "ns").start(start_high=False)
        for _ in range(5):
            await FallingEdge(dut.clk)
        dut.reset_n.value = 1
        await self.wait_for(READY)

    async def transaction(self, command: int, data: bytes = b"") -> tuple[int, bytes]:
        """Send a command and bytes; return the status and the answers."""
        dut = self.dut
        dut.cs_n.value = 0
        await Timer(100, "ns")
        answers = [await self._byte(byte) for byte in bytes([command]) + data]
        await Timer(self.half_ns, "ns")
        dut.cs_n.value, dut.mosi.value = 1, 0
        await Timer(100, "ns")
        return answers[0], bytes(answers[1:])

    async def status(self) -> int:
        """Read the status."""
        return (await self.transaction(0))[0]

    async def wait_for(self, bits: int) -> int:
        """Read the status until one of the bits is set, or fail."""
        for _ in range(_MOST_POLLS):
            if (status := await self.status()) & bits:
                return status
        raise AssertionError(f"status 0x{status:02x}: none of 0x{bits:02x} comes")

    async def start(self, command: int, nonce: bytes, ad_size: int, size: int) -> None:
        """Write a nonce and begin a message."""
        await self.transaction(NONCE, nonce)
        sizes = ad_size.to_bytes(2, "little") + size.to_bytes(2, "little")
        await self.transaction(command, sizes)

    async def seal(self, nonce: bytes, ad: bytes, message: bytes) -> bytes:
        """Return ciphertext and tag."""
        await self.start(SEAL, nonce, len(ad), len(message))
        await self._begins(TAKES_DATA | HAS_TAG)
        _, answers = await self.transaction(DATA, ad + message + bytes(2))
        assert not any(answers[: len(ad) + 2])
        await self.wait_for(HAS_TAG)
        _, tag = await self.transaction(TAG, bytes(8))
        return answers[len(ad) + 2 :] + tag

    async def open(
        self, nonce: bytes, ad: bytes, ciphertext: bytes, tag: bytes
    ) -> tuple[bytes, bool]:
        """Return the message and whether it is genuine."""
        await self.start(OPEN, nonce, len(ad), len(ciphertext))
        await self._begins(TAKES_DATA)
        _, answers = await self.transaction(DATA, ad + ciphertext + tag)
        status = await self.wait_for(VERIFIED | FAILED)
        first = len(ad) + 2
        return answers[first : first + len(ciphertext)], bool(status & VERIFIED)

    async def _begins(self, bits: int) -> None:
        """Wait until a message begins: nothing is told of the one before."""
        assert not await self.wait_for(bits) & (VERIFIED | FAILED), "an old result"

    async def _byte(self, value: int) -> int:
        dut = self.dut
        answer = 0
        for place in reversed(range(8)):
            dut.mosi.value = value >> place & 1
            await Timer(self.half_ns, "ns")
            answer = answer << 1 | int(dut.miso.value)
            dut.sck.value = 1
            await Timer(self.half_ns, "ns")
            dut.sck.value = 0
        return answer
