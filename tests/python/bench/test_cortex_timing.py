# SPDX-License-Identifier: Apache-2.0
"""Each row of the Cortex-M timings beside the manual that it is from.

Cortex-M0: DDI 0432C, table 3-1. Cortex-M0+: DDI 0484C, table 3-1. Cortex-M3: DDI
0337I, table 3-1. Cortex-M4: DDI 0439D, table 3-1. P, the refill of the pipeline, is
taken as 2; a load or store as two cycles, or one behind another (3.3.2 of the latter
two).
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from samara.bench.simulators.cortex_timing import CORES


class Instruction(NamedTuple):
    """What a disassembler tells."""

    mnemonic: str
    op_str: str = ""
    size: int = 2


# Mnemonic, operands, and cycles of Cortex-M0 and M0+, M3 and M4; None: not an
# instruction of that core.
ALONE = [
    # Moves, arithmetic, logic, shifts, extensions: 1.
    ("movs", "r0, #1", 1, 1, 1),
    ("mov", "r8, r0", 1, 1, 1),
    ("adds", "r0, r0, r1", 1, 1, 1),
    ("adcs", "r0, r1", 1, 1, 1),
    ("eors", "r0, r1", 1, 1, 1),
    ("lsls", "r0, r1, #3", 1, 1, 1),
    ("rev", "r0, r1", 1, 1, 1),
    ("uxtb", "r0, r1", 1, 1, 1),
    ("cmp", "r0, r1", 1, 1, 1),
    ("nop", "", 1, 1, 1),
    ("eor.w", "r0, r1, r2, ror #8", None, 1, 1),
    ("it", "eq", None, 1, 1),
    # Multiplications: MULS 1 (the fast multiplier of the M0); MLA, MLS 2 and 1; long
    # ones 3 to 5 and 4 to 7, of which the longest, and 1.
    ("muls", "r0, r1, r0", 1, 1, 1),
    ("mul", "r0, r1, r2", None, 1, 1),
    ("mla", "r0, r1, r2, r3", None, 2, 1),
    ("mls", "r0, r1, r2, r3", None, 2, 1),
    ("umull", "r0, r1, r2, r3", None, 5, 1),
    ("smull", "r0, r1, r2, r3", None, 5, 1),
    ("umlal", "r0, r1, r2, r3", None, 7, 1),
    ("smlal", "r0, r1, r2, r3", None, 7, 1),
    # Divisions: 2 to 12, of which the longest.
    ("udiv", "r0, r1, r2", None, 12, 12),
    ("sdiv", "r0, r1, r2", None, 12, 12),
    # Loads 2; stores 2, or 1 into the buffer of the M3 and M4.
    ("ldr", "r0, [r1]", 2, 2, 2),
    ("ldrb", "r0, [r1, #1]", 2, 2, 2),
    ("ldrh", "r0, [r1, r2]", 2, 2, 2),
    ("ldr.w", "r0, [r1, #64]", None, 2, 2),
    ("str", "r0, [r1]", 2, 1, 1),
    ("strb", "r0, [r1, #1]", 2, 1, 1),
    ("strd", "r0, r1, [r2]", None, 3, 3),
    ("ldrd", "r0, r1, [r2]", None, 3, 3),
    # Several registers: 1 + N.
    ("push", "{r4, r5, r6, r7, lr}", 6, 6, 6),
    ("pop", "{r4, r5, r6}", 4, 4, 4),
    ("ldm", "r0!, {r1, r2}", 3, 3, 3),
    ("stm", "r0!, {r1, r2, r3}", 4, 4, 4),
    ("push.w", "{r4-r11, lr}", None, 10, 10),
    ("stmdb", "sp!, {r4, r5, r8, sb, sl, fp, ip, lr}", None, 9, 9),
    ("ldmia.w", "r0, {r1-r3}", None, 4, 4),
]

CORE_NAMES = ("cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4")


@pytest.mark.parametrize("core", CORE_NAMES)
@pytest.mark.parametrize("row", ALONE, ids=lambda row: row[0])
def test_an_instruction_takes_what_its_manual_says(
    row: tuple[str, str, int | None, int, int], core: str
) -> None:
    # But for branches the M0+ takes what the M0 does.
    cycles = row[2:][max(0, CORE_NAMES.index(core) - 1)]
    if cycles is None:
        return
    found = CORES[core].block([Instruction(*row[:2])])
    assert (found.instructions, found.cycles, found.taken) == (1, cycles, 0)
    assert not found.conditional


# What follows a branch: mnemonic, operands, cycles when it is not taken or cannot be
# told from the instruction, and with the branch, for M0, M0+, M3 and M4.
BRANCHES = [
    # B: 3 on the M0, 2 on the M0+, 1 + P on the others; not taken 1.
    ("b", "#0x10", True, (3, 2, 3, 3)),
    ("b.w", "#0x10", True, (None, None, 3, 3)),
    ("beq", "#0x10", False, (3, 2, 3, 3)),
    ("bhs", "#0x10", False, (3, 2, 3, 3)),
    ("bne.w", "#0x10", False, (None, None, 3, 3)),
    ("cbz", "r0, #0x10", False, (None, None, 3, 3)),
    ("cbnz", "r0, #0x10", False, (None, None, 3, 3)),
    # BX, BLX: 3; 2; 1 + P.
    ("bx", "lr", True, (3, 2, 3, 3)),
    ("blx", "r3", True, (3, 2, 3, 3)),
    # BL: 4; 3; 1 + P.
    ("bl", "#0x10", True, (4, 3, 3, 3)),
    # POP with PC: 4 + N with PC counted as one on the M0,
    # 3 + N on the M0+, 1 + N + P on the others.
    ("pop", "{r4, pc}", True, (6, 5, 5, 5)),
    ("pop.w", "{r4, r5, r8, pc}", True, (None, None, 7, 7)),
    ("ldm", "sp!, {r4, pc}", True, (None, None, 5, 5)),
    # TBB and TBH: 2 + P; here a byte's load is not counted apart.
    ("tbb", "[pc, r0]", True, (None, None, 3, 3)),
    ("tbh", "[pc, r0, lsl #1]", True, (None, None, 3, 3)),
]


@pytest.mark.parametrize("core", CORE_NAMES)
@pytest.mark.parametrize("row", BRANCHES, ids=lambda row: row[0])
def test_a_branch_takes_what_its_manual_says(
    row: tuple[str, str, bool, tuple[int | None, ...]], core: str
) -> None:
    mnemonic, operands, always, taken = row
    cycles = taken[CORE_NAMES.index(core)]
    if cycles is None:
        return
    found = CORES[core].block([Instruction(mnemonic, operands)])
    assert found.cycles + found.taken == cycles
    assert found.conditional is not always
    if not always:
        assert found.cycles == 1


@pytest.mark.parametrize(
    ("code", "others", "m0"),
    [
        # The second load is pipelined behind the first, unless it needs its result.
        ([("ldr", "r0, [r2]"), ("ldr", "r1, [r3]")], 3, 4),
        ([("ldr", "r0, [r2]"), ("ldr", "r1, [r0]")], 4, 4),
        ([("ldr", "r0, [r2]"), ("ldrb", "r1, [r3, r0]")], 4, 4),
        ([("str", "r0, [r2]"), ("ldr", "r1, [r0]")], 2, 4),
        ([("ldr", "r0, [r2]"), ("str", "r0, [r3]")], 3, 4),
        ([("ldr", "r0, [r2]"), ("adds", "r0, #1"), ("ldr", "r1, [r3]")], 5, 5),
        ([("push", "{r4}"), ("ldr", "r1, [r3]")], 4, 4),
    ],
)
def test_loads_behind_loads(code: list[tuple[str, str]], others: int, m0: int) -> None:
    for core, cycles in zip(CORE_NAMES, (m0, m0, others, others), strict=True):
        found = CORES[core].block([Instruction(*each) for each in code])
        assert (found.instructions, found.cycles) == (len(code), cycles)


def test_only_the_last_instruction_of_a_block_branches() -> None:
    code = [Instruction("subs", "r0, #1"), Instruction("bne", "#0x10")]
    found = CORES["cortex-m3"].block(code)
    assert (found.instructions, found.cycles, found.taken) == (2, 2, 2)
    assert found.conditional
    assert CORES["cortex-m3"].block([]).instructions == 0
