# SPDX-License-Identifier: Apache-2.0
"""The AXI wrapper: clear and reset in every state (loaded by cocotb).

Behind them every register is as it was behind the first reset. On bench_axi.v, in
Icarus, which shows every register; RTL_WIDTHS has one width.
"""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import axi_driver as axi
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from registers import held_by

KEY = bytes(range(0x81, 0x91))
NONCE = bytes(range(0xC1, 0xCD))
_AD_SIZE, _SIZE = 5, 39


async def run_to(chip: axi.Chip, state: int, *, opens: bool) -> bool:
    """Begin a message and stop in a state; tell whether it was reached."""
    dut = chip.dut
    await chip.write_bytes(axi.KEY, KEY)
    await chip.write_bytes(axi.NONCE, NONCE)
    await chip.write(axi.AD_SIZE, _AD_SIZE)
    await chip.write(axi.SIZE, _SIZE)
    await chip.write_bytes(axi.TAG, b"received")
    dut.m_axis_tready.value = 1
    dut.s_axis_tvalid.value, dut.s_axis_tlast.value = 1, 0
    dut.s_axis_tdata.value = 0xA5
    await chip.write(axi.CONTROL, axi.OPEN if opens else axi.SEAL)
    last = -(-(_AD_SIZE + _SIZE) // chip.beat_bytes) - 1
    first = int(dut.s_beats.value)
    for _ in range(400 if chip.bits > 2 else 3000):
        dut.s_axis_tlast.value = int(dut.s_beats.value) - first == last
        if int(dut.chip.core.state.value) == state:
            return True
        await FallingEdge(chip.clk)
    return int(dut.chip.core.state.value) == state


async def end(chip: axi.Chip, *, by_reset: bool) -> None:
    """Reset or clear for one clock; the input stops."""
    dut = chip.dut
    if by_reset:
        dut.reset_n.value = 0
    else:
        dut.psel.value, dut.penable.value, dut.pwrite.value = 1, 1, 1
        dut.paddr.value, dut.pwdata.value = axi.CONTROL, axi.CLEAR | axi.STOPPED
    await FallingEdge(chip.clk)
    dut.reset_n.value = 1
    dut.psel.value, dut.penable.value, dut.pwrite.value = 0, 0, 0
    dut.s_axis_tvalid.value = 0


async def settled(chip: axi.Chip) -> dict[str, str]:
    """Return all registers, when the core is clear."""
    for _ in range(128 // chip.bits + 4):
        await FallingEdge(chip.clk)
    await ReadOnly()
    assert int(chip.dut.chip.core.ready.value)
    registers = held_by(chip.dut.chip)
    await FallingEdge(chip.clk)
    return registers


@cocotb.test()
async def as_after_reset(bench: Any) -> None:
    width = int(os.environ["RTL_WIDTHS"])
    bench.on.value = width
    Clock(bench.clk, 10, "ns").start(start_high=False)
    chip = axi.Chip(bench, width)
    source = chip.dut.chip.source
    await chip.begin()
    await end(chip, by_reset=True)
    empty = await settled(chip)
    reached = set()
    for state, opens, by_reset in product(range(32), (False, True), (False, True)):
        if await run_to(chip, state, opens=opens):
            reached.add(state)
        await end(chip, by_reset=by_reset)
        # What the wrapper holds is zero at once.
        assert int(source.key.value) == int(source.start.value) == 0
        full = await settled(chip)
        rest = {path: bits for path, bits in full.items() if bits != empty[path]}
        assert not rest, (state, opens, by_reset, rest)
    # N = 1 fills in one unit each.
    assert len(reached) >= (16 if width == 1 else 18), sorted(reached)
