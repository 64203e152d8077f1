# SPDX-License-Identifier: Apache-2.0
"""What drives the core's ports in a simulation, clock by clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NONCE_END = (2**31 - 1) << 96
"""31 ones and a zero behind the nonce (specification, section 2.2)."""


def der_length(size: int) -> bytes:
    """Return a length as DER encodes it."""
    if size < 0x80:
        return bytes([size])
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(digits)]) + digits


@dataclass(frozen=True, slots=True)
class Word:
    """What stands on the input for one word."""

    data: int
    message: int = 0
    keep: int = 0
    is_last: bool = False


def words(bits: int, ad: bytes, message: bytes) -> Iterator[Word]:
    """Return length, associated data and message in words of so many bits."""
    head = der_length(len(ad)) + ad
    stream = head + message
    if bits < 8:
        for index, byte in enumerate(stream):
            for shift in range(0, 8, bits):
                is_last = index == len(stream) - 1 and shift + bits == 8
                yield Word(
                    byte >> shift & (2**bits - 1), index >= len(head), 1, is_last
                )
        return
    size = bits // 8
    for start in range(0, len(stream), size):
        part = stream[start : start + size]
        places = range(start, start + len(part))
        yield Word(
            int.from_bytes(part, "little"),
            sum((place >= len(head)) << place - start for place in places),
            2 ** len(part) - 1,
            start + size >= len(stream),
        )


class Ring:
    """A register of 128 bits that the core reads N bits a clock."""

    def __init__(self, value: int) -> None:
        self.value = value

    def bits(self, start: int, count: int) -> int:
        both = self.value | self.value << 128
        return both >> start & (2**count - 1)

    def turn(self, count: int) -> None:
        self.value = self.bits(count, 128)


@dataclass(slots=True)
class Outcome:
    """What a message gave."""

    output: bytes
    tag: bytes | None
    verified: bool | None
    clocks: int


class Core:
    """The ports of one core.

    ``stalls_input`` and ``stalls_output`` are asked in every clock whether that side
    waits.
    """

    def __init__(
        self,
        dut: Any,
        stalls_input: Callable[[], bool] = lambda: False,
        stalls_output: Callable[[], bool] = lambda: False,
    ) -> None:
        self.dut = dut
        self.bits = int(dut.N.value)
        self.authenticates = bool(int(dut.AUTHENTICATE.value))
        self.width = len(dut.in_data)
        self.stalls_input = stalls_input
        self.stalls_output = stalls_output

    async def begin(self) -> None:
        """Start the clock, reset, and wait until the core is ready."""
        dut = self.dut
        dut.clk.value = 0
        Clock(dut.clk, 10, "ns").start(start_high=False)
        for port in (
            *("start", "opening", "clear", "key_low", "key_high", "nonce", "in_valid"),
            *("in_data", "in_message", "in_last", "in_keep", "out_ready", "tag_ready"),
        ):
            getattr(dut, port).value = 0
        dut.reset_n.value = 0
        for _ in range(2):
            await FallingEdge(dut.clk)
        dut.reset_n.value = 1
        await self.idle()

    async def idle(self) -> None:
        """Wait until a message can begin."""
        while not await self.clock():
            pass

    async def clock(self) -> bool:
        """Pass one clock; tell whether the core was ready in it."""
        await FallingEdge(self.dut.clk)
        return bool(int(self.dut.ready.value))

    async def message(
        self,
        key: bytes,
        nonce: bytes,
        ad: bytes,
        message: bytes,
        tag: bytes | None = None,
    ) -> Outcome:
        """Seal a message, or open it when there is a tag."""
        dut = self.dut
        key_ring = Ring(int.from_bytes(key, "little"))
        nonce_ring = Ring(int.from_bytes(nonce, "little") | NONCE_END)
        inputs = list(words(self.width, ad, message))
        if tag is not None:
            mask = 2**self.width - 1
            value = int.from_bytes(tag, "little")
            inputs += [
                Word(value >> place & mask) for place in range(0, 64, self.width)
            ]
        progress = _Progress(inputs)
        dut.start.value = 1
        dut.opening.value = int(tag is not None)
        while not progress.is_done:
            self._drive(progress, key_ring, nonce_ring)
            await Timer(4, "ns")
            takes = int(dut.take.value)
            self._sample(progress)
            await FallingEdge(dut.clk)
            dut.start.value = 0
            if takes:
                key_ring.turn(self.bits)
                nonce_ring.turn(self.bits)
        output = progress.output(min(self.width, 8), len(message))
        if tag is None:
            sealed = progress.tag.to_bytes(8, "little")
            return Outcome(output, sealed, None, progress.clocks)
        return Outcome(output, None, progress.verified, progress.clocks)

    def _drive(self, progress: _Progress, key: Ring, nonce: Ring) -> None:
        dut = self.dut
        progress.offers = progress.remains and not self.stalls_input()
        dut.in_valid.value = int(progress.offers)
        if progress.offers:
            word = progress.word
            dut.in_data.value = word.data
            dut.in_message.value = int(word.message)
            dut.in_keep.value = word.keep
            dut.in_last.value = int(word.is_last)
        taken = int(not self.stalls_output())
        dut.out_ready.value = taken
        dut.tag_ready.value = taken
        dut.key_low.value = key.bits(0, self.bits)
        dut.key_high.value = key.bits(64, self.bits)
        dut.nonce.value = nonce.bits(0, self.bits)

    def _sample(self, progress: _Progress) -> None:
        dut = self.dut
        progress.clocks += 1
        if progress.offers and int(dut.in_ready.value):
            progress.place += 1
        if int(dut.out_valid.value) and int(dut.out_ready.value):
            data, keep = int(dut.out_data.value), int(dut.out_keep.value)
            lanes = range(max(1, self.width // 8))
            size = min(self.width, 8)
            progress.out += [
                data >> size * lane & (2**size - 1)
                for lane in lanes
                if keep >> lane & 1 or self.width < 8
            ]
        if int(dut.done.value):
            progress.is_done = True
            progress.tag = int(dut.tag.value)
            progress.verified = bool(int(dut.verified.value))


class _Progress:
    """How far a message is."""

    def __init__(self, inputs: list[Word]) -> None:
        self.inputs = inputs
        self.place = 0
        self.offers = False
        self.out: list[int] = []
        self.clocks = 0
        self.is_done = False
        self.tag = 0
        self.verified = False

    @property
    def remains(self) -> bool:
        return self.place < len(self.inputs)

    @property
    def word(self) -> Word:
        return self.inputs[self.place]

    def output(self, size: int, count: int) -> bytes:
        value = sum(part << size * i for i, part in enumerate(self.out))
        return value.to_bytes(count, "little")
