# SPDX-License-Identifier: Apache-2.0
"""Each rule of the Cortex-M33's timing, beside what was measured.

The source is the text that `samara.bench.simulators.cortex_m33` names; whole programs
that were measured are in docs/bench.md.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

import pytest

from samara.bench import building, devices, images, subjects
from samara.bench.simulators import cortex_code
from samara.bench.simulators.cortex_code import BRANCH, CALL, CONDITIONAL_BRANCH
from samara.bench.simulators.cortex_m33_steps import names, starts_it_block, step_of
from samara.bench.simulators.cortex_timing import CORES
from samara.bench.ways import Build
from samara.extras import need

M33 = CORES["cortex-m33"]


class Instruction(NamedTuple):
    """What a disassembler tells."""

    mnemonic: str
    op_str: str
    size: int


def code(text: str) -> list[Instruction]:
    """Return instructions, one a line: wide ones end with ".w", or are no others."""
    found = []
    for line in text.strip().splitlines():
        mnemonic, _, operands = line.strip().partition(" ")
        size = 4 if mnemonic.endswith(".w") or mnemonic in WIDE else 2
        found.append(Instruction(mnemonic, operands, size))
    return found


WIDE = ("bl", "ldrd", "strd", "movw", "movt", "addw", "uxtab", "mla", "umull", "umlal",
        "umaal", "uadd8", "udiv", "bfi", "ubfx", "tbb")  # fmt: skip

# Instructions, and cycles without what a branch adds.
SEQUENCES = [
    # One a cycle, and each result is there in the next.
    ("adds r0, r1, r2\nadds r3, r0, r2", 2),
    ("lsls r0, r1, #3\nadds r3, r0, r2", 2),
    ("uxtb.w r0, r1, ror #8\nadds r3, r0, r2", 2),
    ("bfi r0, r1, #3, #4\nadds r3, r0, r2", 2),
    ("movw r0, #1\nmovt r0, #2", 2),
    # A load: two cycles, but for what stores and sums of products take later.
    ("ldr r0, [r1]\nadds r0, r0, r2", 3),
    ("ldr r0, [r1]\nadds r3, r3, r2\nadds r0, r0, r2", 3),
    ("ldr r0, [r1]\nldr r2, [r0]", 3),
    ("ldr r0, [r1]\nldr r2, [r3]", 2),
    ("ldr r0, [r1]\nstr r0, [r2]", 2),
    ("ldr r0, [r1]\nstr r2, [r0]", 3),
    ("ldr r0, [r1]\nmla r2, r3, r4, r0", 2),
    ("ldr r0, [r1]\nmla r2, r0, r4, r3", 3),
    ("ldr r0, [r1]\nuxtab r2, r0, r3", 3),
    ("ldr r0, [r1]\neor.w r2, r0, r3, ror #8", 3),
    # The base that a load moves is there at once.
    ("ldr.w r0, [r1], #4\nldr.w r2, [r1]", 2),
    ("ldr.w r0, [r1, #4]!\nldr.w r2, [r1]", 2),
    ("str.w r0, [r1], #4\nldr.w r2, [r1]", 2),
    # Shifted operands: two cycles to the result.
    ("eor.w r0, r1, r2, ror #8\nadds r3, r0, r2", 3),
    ("eor.w r0, r1, r2, ror #8\nstr r0, [r3]", 2),
    ("eor.w r0, r1, r2, ror #8\nmla r3, r4, r5, r0", 2),
    ("eor.w r0, r1, r2\nadds r3, r0, r2", 2),
    ("eor.w r0, r1, #0x1fc0\nadds r3, r0, r2", 3),
    ("eor.w r0, r1, #0x1b1b1b1b\nadds r3, r0, r2", 2),
    ("eor.w r0, r1, #0x1b001b00\nadds r3, r0, r2", 2),
    ("eor.w r0, r1, #0x1b001b\nadds r3, r0, r2", 2),
    ("add.w r0, r1, #0xff\nadds r3, r0, r2", 2),
    ("addw r0, r1, #0xff9\nadds r3, r0, r2", 2),
    # ... and two to set flags, or flags a cycle later.
    ("adds.w r0, r1, #0x1fc0", 2),
    ("cmp.w r0, #0x1fc0", 2),
    ("movs.w r0, #0x1fc0", 1),
    ("adds.w r0, r1, r2, ror #8", 1),
    ("adds.w r0, r1, r2, ror #8\nadc.w r3, r4, r5", 3),
    ("adds r0, r1, r2\nadcs r3, r4", 2),
    # Products.
    ("muls r0, r1, r0", 2),
    ("mul.w r0, r1, r2\nadds r3, r0, r2", 3),
    ("mul.w r0, r1, r2\nmla r3, r4, r5, r0", 2),
    ("mla r0, r1, r2, r3\nmla r0, r4, r5, r0", 2),
    ("mla r0, r1, r2, r3\nmla r3, r0, r5, r4", 3),
    ("umull r0, r1, r2, r3\numlal r0, r1, r4, r5", 2),
    ("umull r0, r1, r2, r3\numaal r4, r1, r2, r5", 2),
    ("umull r0, r1, r2, r3\nadds r4, r1, r5", 3),
    ("uxtab r0, r1, r2\nuxtab r3, r0, r2", 2),
    ("uxtab r0, r1, r2\nadds r3, r0, r2", 3),
    ("uadd8 r0, r1, r2\nadds r3, r0, r2", 3),
    ("uadd8 r0, r1, r2\nstr r0, [r3]", 2),
    ("udiv r0, r1, r2", 11),
    # Several registers: as many cycles, and the last is there two later.
    ("ldm r0!, {r1, r2, r3, r4}", 4),
    ("push {r4, r5, lr}", 3),
    ("pop.w {r4, r5, r8, sb}", 4),
    ("stm r0!, {r1, r2}\nldr r3, [r0]", 3),
    ("ldm r0!, {r1, r2}\nadds r1, r1, r3", 3),
    ("ldm r0!, {r1, r2}\nadds r2, r2, r3", 4),
    ("ldrd r0, r1, [r2]", 2),
    ("strd r0, r1, [r2]", 2),
    ("ldrd r0, r1, [r2]\nadds r1, r1, r3", 4),
    # IT and NOP pair with a narrow one before them, and take the second place.
    ("cmp r0, r1\nit eq\nmoveq r2, r3", 2),
    ("cmp.w r0, r1\nit eq\nmoveq r2, r3", 3),
    ("adds r0, r1, r2\nnop", 1),
    ("adds.w r0, r1, r2\nnop", 2),
    ("adds r0, r1, r2\nnop\nnop", 2),
    ("nop\nadds r0, r1, r2", 2),
    # One that a condition may skip takes what it takes; the next has none.
    ("adds.w r0, r1, r2, ror #8\nit eq\nmoveq r2, r3", 3),
    ("cmp r0, r1\nit eq\naddeq.w r2, r3, r4, lsl #3\nadds r5, r2, r4", 4),
    ("cmp r0, r1\nit eq\nmoveq r2, r3\nmuls r4, r5, r4", 4),
    ("cmp r0, r1\nite eq\nmoveq r2, r3\naddne.w r2, r3, r4, lsl #3\nmov r5, r2", 5),
    ("ldr r0, [r1]\nit eq\nmoveq r2, r0", 3),
]


@pytest.mark.parametrize(("text", "cycles"), SEQUENCES)
def test_a_sequence_takes_what_was_measured(text: str, cycles: int) -> None:
    listed = code(text)
    found = M33.block(listed)
    assert (found.instructions, found.cycles) == (len(listed), cycles)
    assert (found.taken, found.conditional) == (0, False)


# Instructions, cycles when the branch is not taken, cycles when it is.
BRANCHES = [
    # Behind a narrow one that sets no flags it takes one cycle, or none if not taken.
    ("subs r7, #1\nadd r0, r1\nbne #0x10", 2, 3),
    ("ldm r6!, {r0, r1, r2, r3}\nbne #0x10", 4, 5),
    # Behind the one that sets its flags, two or none.
    ("subs r7, #1\nbne #0x10", 1, 3),
    ("adds r3, r4\nbeq #0x10", 1, 3),
    # Alone, two or one: so is a wide one, or one behind a wide one.
    ("bne #0x10", 1, 2),
    ("subs.w r7, r7, #1\nbne #0x10", 2, 3),
    ("subs r7, #1\nbne.w #0x10", 2, 3),
    ("cmp r0, r1\nit eq\nbeq #0x10", 2, 3),
    ("cmp r0, r1\ncbz r2, #0x10", 2, 3),
    ("ldr r0, [r1]\ncbnz r0, #0x10", 3, 4),
    # Flags of a shifted operand are later.
    ("cmp.w r0, r1, lsl #2\nbne #0x10", 3, 4),
]


@pytest.mark.parametrize(("text", "passed", "taken"), BRANCHES)
def test_a_conditional_branch(text: str, passed: int, taken: int) -> None:
    found = M33.block(code(text))
    assert found.conditional
    assert (found.cycles, found.cycles + found.taken) == (passed, taken)


ALWAYS = [
    ("b #0x10", 2),
    ("adds r0, r1, r2\nb #0x10", 2),
    ("b.w #0x10", 2),
    ("bl #0x10", 2),
    ("adds r0, r1, r2\nbl #0x10", 3),
    ("bx lr", 2),
    ("adds r0, r1, r2\nbx lr", 2),
    # POP with LR and BX LR: two instructions between them are free, and a third
    # pairs. POP with PC is a cycle slower than the former, and two than the latter.
    ("pop {r4, lr}\nbx lr", 2 + 4),
    ("pop {r4, lr}\nmov sl, sl\nmov sl, sl\nbx lr", 2 + 4),
    ("pop {r4, lr}\nmov sl, sl\nmov sl, sl\nmov sl, sl\nbx lr", 2 + 4),
    ("pop {r4, pc}", 2 + 3),
    ("pop.w {r4, r8, pc}", 3 + 3),
    ("ldr.w pc, [r0]", 1 + 3),
    ("tbb [pc, r0]", 1 + 3),
]


@pytest.mark.parametrize(("text", "cycles"), ALWAYS)
def test_a_branch_that_is_always_taken(text: str, cycles: int) -> None:
    found = M33.block(code(text))
    assert not found.conditional
    assert found.cycles + found.taken == cycles


def test_of_no_instructions() -> None:
    assert M33.block([]).instructions == 0
    assert M33.block([]).cycles == 0


class Decoded(cortex_code.Instruction, Protocol):
    """What capstone tells, with its details."""

    def regs_access(self) -> tuple[list[int], list[int]]:
        """Return the registers that are read and written, by numbers."""

    def reg_name(self, reg_id: int, /) -> str:
        """Return the name of a register."""


# Capstone forgets that these read their last operand.
FORGOTTEN = re.compile(r"[us]xta(b|h|b16)")


def is_compared(each: Decoded) -> bool:
    """Return whether it is no branch, and one that capstone knows well."""
    patterns = (BRANCH, CALL, CONDITIONAL_BRANCH, FORGOTTEN)
    return not any(pattern.fullmatch(each.mnemonic) for pattern in patterns)


def as_capstone_tells(each: Decoded) -> tuple[set[str], set[str]]:
    """Return the registers that an instruction reads and writes."""
    read, written = each.regs_access()
    of = [{*names(*map(each.reg_name, found))} - {"r15"} for found in (read, written)]
    return of[0], of[1]


def as_steps_tell(each: Decoded, *, conditional: bool) -> tuple[set[str], set[str]]:
    """Return the same as the timing has it."""
    step = step_of(each, conditional=conditional)
    return {*step.early, *step.late} - {"r15"}, {*step.gives} - {"r15"}


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["chacha20-poly1305", "aes128-gcm"])
def test_registers_are_those_that_a_disassembler_tells(suite: str) -> None:
    """All instructions of a cipher that is compiled, beside what capstone says."""
    capstone = need("capstone", "bench")
    thumb = capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
    decoder = capstone.Cs(capstone.CS_ARCH_ARM, thumb)
    decoder.detail = True
    build = Build(devices.device("cortex-m33"), "portable", "O3")
    path = building.build(build, subjects.subject(suite)).image.path
    compared = 0
    for start, data in images.contents(path):
        conditional_left = 0
        for each in decoder.disasm(data, start):
            conditional = conditional_left > 0
            conditional_left = max(0, conditional_left - 1)
            if starts_it_block(each.mnemonic):
                conditional_left = len(each.mnemonic) - 1
            elif is_compared(each):
                expected = as_capstone_tells(each)
                assert as_steps_tell(each, conditional=conditional) == expected, each
                compared += 1
    assert compared > 1000
