# SPDX-License-Identifier: Apache-2.0
"""Clear and reset in every state leave zeros behind (loaded by cocotb).

On bench_axi.v, in Icarus, which shows every register; RTL_WIDTHS has one width.
"""

import os

import axi_driver as axi
import cocotb
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject, ValueObjectBase
from cocotb.triggers import FallingEdge, ReadOnly

KEY = bytes(range(0x81, 0x91))
NONCE = bytes(range(0xC1, 0xCD))
SECRET = {
    *("key", "start", "lfsr", "nfsr", "accumulator", "held", "held_n", "tag"),
    *("lfsr_waits", "nfsr_waits", "output_waits", "bits_waits", "fresh_waits"),
    *("beat", "parts", "value", "odd", "turned", "place", "part", "is_running"),
    *("ad_size", "message_size", "key_words", "nonce_words", "beat_waits"),
}
"""Names of what holds a part of key, nonce, message or tag, of counters, and
of what says how far a message or a key is."""


def registers(scope, found=None):
    """Return the registers below a module, by path."""
    found = {} if found is None else found
    for thing in scope:
        if isinstance(thing, HierarchyObject):
            registers(thing, found)
        elif thing._name in SECRET and isinstance(thing, ValueObjectBase):
            found[thing._path] = thing
    return found


async def run_to(chip, state, opening):
    """Begin a message and stop in a state; tell whether it was reached."""
    dut = chip.dut
    await chip.write_bytes(axi.KEY, KEY)
    await chip.write_bytes(axi.NONCE, NONCE)
    await chip.write(axi.AD_SIZE, 5)
    await chip.write(axi.SIZE, 40)
    await chip.write_bytes(axi.TAG, b"received")
    dut.m_axis_tready.value = 1
    dut.s_axis_tvalid.value, dut.s_axis_tdata.value = 1, 0xA5
    await chip.write(axi.CONTROL, axi.OPEN if opening else axi.SEAL)
    for _ in range(400 if chip.bits > 2 else 3000):
        if int(dut.chip.core.state.value) == state:
            return True
        await FallingEdge(chip.clk)
        if int(dut.chip.core.state.value) == state:
            return True
    return False


@cocotb.test()
async def zeros_are_left(bench):
    width = int(os.environ["RTL_WIDTHS"])
    bench.on.value = width
    Clock(bench.clk, 10, "ns").start(start_high=False)
    chip = axi.Chip(bench, width)
    dut = chip.dut
    await chip.begin()
    found = registers(dut.chip)
    assert {"key", "start", "lfsr", "nfsr", "accumulator"} <= {
        thing._name for thing in found.values()
    }
    reached = set()
    for state in range(32):
        for opening in (False, True):
            for by_reset in (False, True):
                if await run_to(chip, state, opening):
                    reached.add(state)
                if by_reset:
                    dut.reset_n.value = 0
                    await FallingEdge(chip.clk)
                    dut.reset_n.value = 1
                else:
                    dut.psel.value, dut.penable.value, dut.pwrite.value = 1, 1, 1
                    dut.paddr.value, dut.pwdata.value = axi.CONTROL, axi.CLEAR
                    await FallingEdge(chip.clk)
                    dut.psel.value, dut.penable.value, dut.pwrite.value = 0, 0, 0
                dut.s_axis_tvalid.value = 0
                await ReadOnly()
                # What the wrapper holds is zero at once.
                assert (
                    int(dut.chip.source.key.value)
                    == int(dut.chip.source.start.value)
                    == 0
                )
                for _ in range(128 // chip.bits + 2):
                    await FallingEdge(chip.clk)
                await ReadOnly()
                assert int(dut.chip.core.ready.value)
                rest = {
                    path: thing.value
                    for path, thing in found.items()
                    if int(thing.value) != (2 ** len(thing) - 1) * ("held_n" in path)
                }
                assert not rest, (state, opening, by_reset, rest)
                await FallingEdge(chip.clk)
    dut._log.info("states reached: %s", sorted(reached))
    assert len(reached) >= 18
