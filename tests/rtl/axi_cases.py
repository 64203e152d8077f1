# SPDX-License-Identifier: Apache-2.0
"""The wrapper with registers and streams, every width (loaded by cocotb).

RTL_AMOUNTS, RTL_WIDTHS and RTL_REPORT as for core_cases.py.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, TypeVar

import axi_driver as axi
import cocotb
import messages
from cocotb.clock import Clock
from cocotb.triggers import SimTimeoutError, Timer, with_timeout
from core_cases import write_report

if TYPE_CHECKING:
    from collections.abc import Coroutine

# Official answers: every how many. Random messages. Sizes of long ones, of associated
# data and message.
AMOUNTS = {
    "few": (150, 6, ()),
    "usual": (40, 30, ((1030, 20),)),
    "all": (3, 300, ((2000, 1100), (3, 2100))),
}
# How the input goes on when a message is cleared: what is left of its packet comes, all
# of it comes, or nothing does, since the host has stopped it.
ENDS = ("rest", "all", "stopped before", "stopped behind")
AD_SIZES = (0, 1, 127, 128, 255, 256, 300)
# The last beat of messages whose packets end elsewhere.
_LAST = 4
# More than ten times the clocks that a case takes at most, 10 ns each: a wrapper that
# hangs is told soon, in Icarus too.
_CASE_ENDS_US = 1000

T = TypeVar("T")


class _Cases:
    """The checks of one width; each counts itself."""

    def __init__(self, bench: object, bits: int) -> None:
        self.bench = bench
        self.bits = bits
        self.chip = axi.Chip(bench, bits)
        self.dice = random.Random(bits)
        self.passed = 0
        self.each, self.random, self.long = AMOUNTS[os.environ["RTL_AMOUNTS"]]

    async def run(self) -> None:
        await in_time(self.chip.begin())
        await in_time(self.registers())
        await in_time(self.keys())
        await in_time(self.last_beat_waits())
        for job in messages.official(self.each):
            await self.check(job)
        for number in range(self.random + len(AD_SIZES)):
            ad_size = (*AD_SIZES, *[self.dice.randrange(20)] * self.random)[number]
            await self.check_random(ad_size, self.dice.randrange(20))
        for sizes in self.long:
            chip = self.chip
            chip.stalls_input = chip.stalls_output = axi.never
            await self.check(messages.sealed(self.dice, *sizes))
        for way in (*ENDS, *ENDS):
            for opens in (False, True):
                await in_time(self.ends_early(way, opens=opens))
        for last in (0, _LAST - 1, _LAST + 1, 2 * _LAST + 1):
            for opens in (False, True):
                await in_time(self.wrong_end(last, opens=opens))
        self.bench.on.value = int(self.bench.on.value) & ~(
            1 << self.bits.bit_length() - 1
        )

    async def check(self, job: messages.Job, *, keeps_key: bool = False) -> None:
        key = None if keeps_key else job.key
        done = await in_time(
            self.chip.message(key, job.nonce, job.ad, job.data, job.tag)
        )
        assert done.output == job.output, f"{job.name}: {done.output.hex()}"
        assert done.tag == job.sealed_tag, f"{job.name}: {done.tag}"
        assert done.verified == job.verified, f"{job.name}: verified {done.verified}"
        self.passed += 1

    async def check_random(self, ad_size: int, size: int) -> None:
        rate_in, rate_out = (self.dice.choice((0, 0.1, 0.5)) for _ in range(2))
        self.chip.stalls_input = lambda: self.dice.random() < rate_in
        self.chip.stalls_output = lambda: self.dice.random() < rate_out
        job = messages.sealed(self.dice, ad_size, size)
        await self.check(job)
        # The key is still there.
        await self.check(messages.opened(job), keeps_key=True)
        flip = self.dice.randrange(64)
        await self.check(messages.opened(job, flip=flip), keeps_key=True)

    async def registers(self) -> None:
        """What may be written and read, and what answers with an error."""
        chip = self.chip
        assert await chip.read(axi.VERSION) == 0x53470002
        assert await chip.read(axi.STATUS) == axi.READY
        for address in (*range(0x14, 0x20, 4), *range(0x20, 0x40, 4), 0x48, 0x7C):
            await refused(chip.read(address))
        for address in (axi.VERSION, axi.STATUS, 0x14, 0x3C, 0x48, 0x7C):
            await refused(chip.write(address, 1))
        # Neither both nor nothing.
        await chip.write_bytes(axi.KEY, bytes(16))
        await chip.write_bytes(axi.NONCE, bytes(12))
        await refused(chip.write(axi.CONTROL, axi.SEAL | axi.OPEN))
        await refused(chip.write(axi.CONTROL, 0))
        await refused(chip.write(axi.AD_SIZE, 0x10000))
        for address, value in ((axi.AD_SIZE, 0xFEDC), (axi.SIZE, 0xFEDCBA98)):
            await chip.write(address, value)
            assert await chip.read(address) == value
            await chip.write(address, 0)
        # A tag that somebody wrote is not told as one that was computed.
        await chip.write_bytes(axi.TAG, bytes(range(8)))
        assert await chip.read(axi.TAG) == 0
        await chip.write(axi.CONTROL, axi.CLEAR)
        await chip.wait_for(axi.READY)
        assert await chip.read(axi.STATUS) == axi.READY
        self.passed += 1

    async def keys(self) -> None:
        """No message without a whole key and, written behind it, a whole nonce."""
        chip = self.chip
        job = messages.sealed(self.dice, 3, 9)
        await self.waits_for_key(0)
        for area, words in ((axi.KEY, 4), (axi.NONCE, 3)):
            for word in range(1, words):
                await refused(chip.write(area + 4 * word, 1))
        # A nonce alone: not under the zero key of reset.
        await chip.write_bytes(axi.NONCE, job.nonce)
        await self.waits_for_key(axi.HAS_NONCE)
        for size in (4, 8, 12):
            await chip.write_bytes(axi.KEY, job.key[:size])
            await chip.write_bytes(axi.NONCE, job.nonce)
            await self.waits_for_key(axi.HAS_NONCE)
            for word in {1, 2, 3} - {size // 4}:
                await refused(chip.write(axi.KEY + 4 * word, 1))
        await chip.write_bytes(axi.KEY, job.key)
        await self.waits_for_key(axi.HAS_KEY)
        for size in (4, 8):
            await chip.write_bytes(axi.NONCE, job.nonce[:size])
            await self.waits_for_key(axi.HAS_KEY)
            for word in {1, 2} - {size // 4}:
                await refused(chip.write(axi.NONCE + 4 * word, 1))
        # Words of a key that is there stay, and a part of another takes it away.
        for word in (1, 2, 3):
            await refused(chip.write(axi.KEY + 4 * word, 1))
        await self.check(job, keeps_key=True)
        await chip.write_bytes(axi.NONCE, job.nonce)
        await chip.write(axi.KEY, 1)
        await self.waits_for_key(0)
        await self.check(messages.opened(job))
        self.passed += 1

    async def waits_for_key(self, status: int) -> None:
        """Check what is there, and that no message begins."""
        # Whatever the message before has left.
        left = axi.HAS_TAG | axi.VERIFIED
        assert await self.chip.read(axi.STATUS) & ~left == axi.READY | status
        for command in (axi.SEAL, axi.OPEN):
            await refused(self.chip.write(axi.CONTROL, command))

    async def last_beat_waits(self) -> None:
        """No message begins while the last beat of the one before waits."""
        chip = self.chip
        job = messages.sealed(self.dice, 0, 1)
        await chip.start(job.key, job.nonce, job.ad, job.data)
        await chip.send(job.data)
        assert await chip.wait_for(axi.HAS_TAG) == axi.HAS_TAG | axi.HAS_KEY
        await refused(chip.write(axi.NONCE, 1))
        assert await chip.receive(1) == job.output
        await chip.wait_for(axi.READY)
        self.passed += 1

    async def ends_early(self, way: str, *, opens: bool) -> None:
        """Clear within a message: nothing of it is left, not even the key.

        What is left of its packet, which a DMA goes on to send, is of no message.
        """
        chip, dice = self.chip, self.dice
        chip.stalls_input = chip.stalls_output = axi.never
        job = messages.sealed(dice, 20, 12)
        if opens:
            job = messages.opened(job)
        await chip.start(job.key, job.nonce, job.ad, job.data, job.tag)
        for address in (axi.SIZE, axi.AD_SIZE, axi.KEY, axi.NONCE, axi.TAG):
            await refused(chip.write(address, 1))
        for command in (axi.SEAL, axi.STOPPED):
            await refused(chip.write(axi.CONTROL, command))
        assert await chip.read(axi.TAG) == 0
        sender = axi.Sender(chip, job.ad + job.data)
        taken = []
        if way != "all":
            sender.begin()
            if dice.random() < 0.7:
                count = dice.randrange(len(job.data) // chip.beat_bytes)
                taken = [await chip.take_beat() for _ in range(count)]
            await chip.clocks(dice.randrange(1000 // self.bits))
        await self.clears(way, sender, taken)
        await chip.wait_for(axi.READY)
        assert await chip.read(axi.STATUS) == axi.READY
        for address in (axi.AD_SIZE, axi.SIZE, axi.TAG, axi.TAG + 4):
            assert await chip.read(address) == 0
        # Not under the old key, nor under zeros.
        await chip.write_bytes(axi.NONCE, dice.randbytes(12))
        await self.waits_for_key(axi.HAS_NONCE)
        await self.check(messages.sealed(dice, 2, 7))

    async def clears(self, way: str, sender: axi.Sender, taken: list[axi.Beat]) -> None:
        """Clear, and check what still goes in and comes out."""
        chip = self.chip
        command = axi.CLEAR
        if way == "stopped before":
            sender.stop()
            command |= axi.STOPPED
        offered = await chip.clear(command)
        status = await chip.read(axi.STATUS)
        if way in {"all", "stopped before"}:
            assert bool(status & axi.DRAINS) == (way == "all")
        if way == "all":
            sender.begin()
        if way == "stopped behind":
            sender.stop()
            if await chip.read(axi.STATUS) & axi.DRAINS:
                await chip.write(axi.CONTROL, axi.STOPPED)
        await self.takes_what_is_left(taken, offered)
        await sender.ended()
        await chip.clocks(3)
        assert chip.offered() is None, "output of what was ended"

    async def takes_what_is_left(
        self, taken: list[axi.Beat], offered: axi.Beat | None
    ) -> None:
        """Take what may come behind a clear, and check it.

        What was offered stays; it ends the packet, or is followed by what does.
        """
        chip = self.chip
        left = [offered] if offered else []
        if (all_ := [*taken, *left]) and not all_[-1].is_last:
            left.append(axi.CLOSING)
        if left:
            await chip.clocks(128 // self.bits + 4)
            assert not await chip.read(axi.STATUS) & axi.READY
        for beat in left:
            assert await chip.take_beat() == beat

    async def wrong_end(self, last: int, *, opens: bool) -> None:
        """A packet that is too short, or too long, gives no tag and is not verified."""
        chip, dice = self.chip, self.dice
        job = messages.sealed(dice, 2 * chip.beat_bytes, 3 * chip.beat_bytes)
        if opens:
            job = messages.opened(job)
        await chip.start(job.key, job.nonce, job.ad, job.data, job.tag)
        # Beats of another packet follow.
        beats = (job.ad + job.data) * 2
        sender = axi.Sender(chip, beats, last=last)
        sender.begin()
        chip.dut.m_axis_tready.value = 1
        status = await chip.wait_for(axi.WRONG_END | axi.HAS_TAG | axi.VERIFIED)
        assert status == axi.WRONG_END | axi.HAS_KEY, f"status 0x{status:02x}"
        # Long enough for a tag.
        await chip.clocks(300)
        assert await chip.read(axi.STATUS) == axi.WRONG_END | axi.HAS_KEY
        assert await chip.read(axi.TAG) == 0
        for address in (axi.NONCE, axi.SIZE):
            await refused(chip.write(address, 1))
        # What is behind the end waits; a clear takes the rest of a long packet.
        assert sender.count == min(last, _LAST) + 1
        await chip.clear()
        await chip.clocks(128 // self.bits + 20)
        assert sender.count == last + 1
        sender.stop()
        chip.dut.m_axis_tready.value = 0
        await chip.wait_for(axi.READY)
        assert await chip.read(axi.STATUS) == axi.READY
        await self.check(messages.sealed(dice, 1, 3))


async def in_time(work: Coroutine[object, object, T]) -> T:
    """Await what ends, if the chip does not hang."""
    try:
        return await with_timeout(work, _CASE_ENDS_US, "us")
    except SimTimeoutError:
        raise AssertionError(f"no end within {_CASE_ENDS_US} us") from None


async def refused(access: Coroutine[object, object, object]) -> None:
    """Make an access that must be answered with an error."""
    try:
        await access
    except axi.BusError:
        return
    raise AssertionError("an access that is forbidden was answered")


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def every_width(bench: object) -> None:
    widths = [int(n) for n in os.environ["RTL_WIDTHS"].split()]
    bench.on.value = sum(widths)
    Clock(bench.clk, 10, "ns").start()
    await Timer(20, "ns")
    cases = [_Cases(bench, bits) for bits in widths]
    lines, failures = [], 0
    for case, task in [(case, cocotb.start_soon(_caught(case))) for case in cases]:
        failure = await task
        lines.append(f"axi N={case.bits}: {failure or f'{case.passed} checks'}")
        failures += bool(failure)
    lines.append(f"{sum(case.passed for case in cases)} passed, {failures} failed")
    write_report(lines)
    assert not failures, lines


async def _caught(case: _Cases) -> str:
    """Run the checks of a width; return what failed."""
    try:
        await case.run()
    except (AssertionError, axi.BusError) as error:
        return f"{type(error).__name__} {error}"
    return ""
