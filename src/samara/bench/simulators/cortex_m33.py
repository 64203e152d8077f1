# SPDX-License-Identifier: Apache-2.0
"""Cycles of a Cortex-M33, as others measured them.

Its technical reference manual (100230) has no cycles. The rules are those that Jan
Oleksiewicz measured on an RP2350, whose cores are r1p0, with its cycle counter, and
published in "pipeline cycle test" (github.com/jnk0le/random, cortex_m33.md, commit
3dfc2abd):

- a result is there after a cycle; after two of a load, a product, a packed operation
  (DSP), an extension with a sum, and of an operand that is shifted by a constant
  number, be it a register or eight bits of a constant;
- what a product is added to, what an extension is added to, and what a store writes
  are read a cycle later. A load is that early for a sum of a product, and for a store;
- MULS, and an operation with shifted eight bits that sets flags, take two cycles; LDRD
  and STRD two; several registers as many as there are;
- of two narrow instructions the second takes no cycle of its own if it is NOP, IT, or
  a branch. A branch that is taken takes two cycles, or one if it pairs so, for which
  the one before it must not set the flags that it reads.

Four rules are not in that text. POP with PC takes three cycles more than its registers,
which follows from what it says of POP with LR and BX LR. UDIV and SDIV take eleven
cycles, the longest of ARM's range (2 to 11). TBB, TBH and a load of PC take what POP
with PC does, and CBZ and CBNZ never pair: assumed.

Left out: results that a branch carries into the next block, wide instructions at odd
halfwords, and banks of memory that two need at once. So the sums are estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.simulators.cortex_code import (
    BRANCH,
    CALL,
    CONDITIONAL_BRANCH,
    Block,
)
from samara.bench.simulators.cortex_m33_steps import (
    NARROW,
    Step,
    names,
    starts_it_block,
    step_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.bench.simulators.cortex_code import Instruction

_REFILL = 3
"""What a load of the program counter adds to its registers."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The timing of a Cortex-M33."""

    aligned_only: bool = False
    model: str = ""

    def block(self, instructions: Iterable[Instruction]) -> Block:
        """Return what a block takes."""
        run, count = _Run(), 0
        for count, each in enumerate(instructions, 1):  # noqa: B007 - it is kept
            run.add(each)
        return Block(count, run.cycles, run.taken, run.conditional)


class _Run:
    """Instructions in the pipeline, in their order."""

    def __init__(self) -> None:
        self.cycles = 0
        """When the next instruction can begin."""
        self.taken = 0
        self.conditional = False
        self._ready: dict[str, int] = {}
        self._loaded: set[str] = set()
        self._flags_ready = 0
        self._flags_are_new = False
        self._can_pair = False
        self._conditional_left = 0

    def add(self, each: Instruction) -> None:
        """Let an instruction begin."""
        name = each.mnemonic
        self.taken, self.conditional = 0, False
        pairs = self._can_pair and each.size == NARROW
        self._can_pair = False
        if starts_it_block(name) or name == "nop":
            self._begin(Step(takes=0 if pairs else 1))
            self._conditional_left = len(name) - 1 if starts_it_block(name) else 0
        elif BRANCH.fullmatch(name) or CONDITIONAL_BRANCH.fullmatch(name):
            self._branch(each, pairs=pairs)
        elif CALL.fullmatch(name):
            self._begin(Step())
            self.taken = 1
        else:
            self._compute(each)
            self._can_pair = each.size == NARROW

    def _compute(self, each: Instruction) -> None:
        conditional = self._conditional_left > 0
        self._conditional_left = max(0, self._conditional_left - 1)
        self._begin(step_of(each, conditional=conditional))
        if _loads_pc(each):
            self.taken = _REFILL

    def _branch(self, each: Instruction, *, pairs: bool) -> None:
        name = each.mnemonic
        self.conditional = CONDITIONAL_BRANCH.fullmatch(name) is not None
        compares = name.startswith("cb")
        reads_flags = self.conditional and not compares
        # Where it goes to is not known while the flags are computed.
        waits = reads_flags and self._flags_are_new
        target = names(each.op_str) if name.startswith(("bx", "blx")) else frozenset()
        # A target is needed a cycle before other operands.
        known = max((self._ready[n] + 1 for n in target if n in self._ready), default=0)
        pairs = pairs and not compares and self.cycles > known
        self.cycles = max(self.cycles, known)
        source = names(each.op_str) if compares else frozenset()
        self._begin(Step(0 if pairs else 1, source, reads_flags=reads_flags))
        self.taken = 2 if pairs and waits else 1

    def _begin(self, step: Step) -> None:
        at = max(self.cycles, self._all_ready(step))
        self.cycles = at + step.takes
        for name, after in step.gives.items():
            self._ready[name] = at + after
            (self._loaded.add if step.is_load else self._loaded.discard)(name)
        self._flags_are_new = step.gives_flags > 0
        if step.gives_flags:
            self._flags_ready = at + step.gives_flags

    def _all_ready(self, step: Step) -> int:
        """Return when all is there that an instruction reads."""
        early = set(step.early)
        if not step.takes_loads_late:
            early |= step.late & self._loaded
        at = max((self._ready.get(name, 0) for name in early), default=0)
        late = max((self._ready.get(name, 0) for name in step.late - early), default=0)
        return max(at, late - 1, self._flags_ready if step.reads_flags else 0)


def _loads_pc(each: Instruction) -> bool:
    name = each.mnemonic
    several = name.startswith(("pop", "ldm")) and "pc" in each.op_str
    return several or name.startswith(("tbb", "tbh")) or each.op_str.startswith("pc,")
