# SPDX-License-Identifier: Apache-2.0
"""Cycles of Cortex-M instructions, by the cores' technical reference manuals.

Cortex-M0: DDI 0432C, 3.3. Cortex-M0+: DDI 0484C, 3.3, with the fast multiplier.
Cortex-M3: DDI 0337I, 3.3. Cortex-M4: DDI 0439D, 3.3. All for memory without wait
states. Where a manual gives a range: a refill of the pipeline is 2 cycles (1 to 3),
divisions and long multiplications of the Cortex-M3 take the longest time, and an
instruction that its condition skips takes as long as one that is carried out. So the
sums are estimates. The manual of the Cortex-M33 has no such table: `cortex_m33`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from samara.bench.simulators.cortex_code import (
    BRANCH,
    CALL,
    CONDITIONAL_BRANCH,
    REGISTER,
    Block,
    registers,
)
from samara.bench.simulators.cortex_m33 import Pipeline
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.bench.simulators.cortex_code import Instruction, Timing


@dataclass(frozen=True, slots=True)
class Core:
    """A core whose manual has a table of cycles: what differs between them."""

    branch: int
    """A branch that is taken."""
    call: int
    """BL."""
    pop_pc: int
    """On top of a POP's or LDM's own time when it loads the program counter."""
    pipelined_loads: bool
    """Whether a load after a load takes one cycle, and a store always."""
    multiply: Mapping[str, int]
    """Multiplications and divisions that take more than one cycle."""
    aligned_only: bool = False
    """Whether it faults at a word that does not lie at a multiple of its size."""
    model: str = ""
    """The core that unicorn knows and that has its instructions; "" if itself."""

    def block(self, instructions: Iterable[Instruction]) -> Block:
        """Return what a block takes."""
        cycles = taken = count = 0
        conditional = False
        previous: Instruction | None = None
        for each in instructions:
            count += 1
            cycles += _cycles(self, each, previous)
            taken = _taken(self, each)
            conditional = CONDITIONAL_BRANCH.fullmatch(each.mnemonic) is not None
            previous = each
        return Block(count, cycles, taken, conditional)


_M3_MULTIPLY = {
    **dict.fromkeys(("mla", "mls"), 2),
    **dict.fromkeys(("umull", "smull"), 5),
    **dict.fromkeys(("umlal", "smlal"), 7),
    **dict.fromkeys(("udiv", "sdiv"), 12),
}
_M4_MULTIPLY = dict.fromkeys(("udiv", "sdiv"), 12)

_armv6m = partial(Core, pipelined_loads=False, multiply={}, aligned_only=True)

CORES: Mapping[str, Timing] = {
    "cortex-m0": _armv6m(3, 4, 3),
    "cortex-m0plus": _armv6m(2, 3, 2, model="cortex-m0"),
    "cortex-m3": Core(3, 3, 2, pipelined_loads=True, multiply=_M3_MULTIPLY),
    "cortex-m4": Core(3, 3, 2, pipelined_loads=True, multiply=_M4_MULTIPLY),
    "cortex-m33": Pipeline(),
}


class UnknownCoreError(MisuseError):
    """A device's core has no timings here."""


def core(name: str) -> Timing:
    """Return the timings of a core, by the compiler's name for it.

    Raises
    ------
    UnknownCoreError
        When there are none.
    """
    if name in CORES:
        return CORES[name]
    message = (
        f"the cycles of {name!r} are not known: the bench knows {', '.join(CORES)};"
        " give the device's mcu as the one of these that is nearest"
    )
    raise UnknownCoreError(message)


_SEVERAL = re.compile(r"(ldm|stm|push|pop)")
_SINGLE = re.compile(r"(ldr|str)")


def _taken(core: Core, each: Instruction) -> int:
    """Return what an instruction adds when it changes the flow; 0 when it cannot."""
    name = each.mnemonic
    if CALL.fullmatch(name):
        return core.call - 1
    if CONDITIONAL_BRANCH.fullmatch(name) or BRANCH.fullmatch(name):
        return core.branch - 1
    if name.startswith(("pop", "ldm")) and "pc" in each.op_str:
        return core.pop_pc
    if name.startswith(("tbb", "tbh")) or each.op_str.startswith("pc,"):
        return core.branch - 1
    return 0


def _cycles(core: Core, each: Instruction, previous: Instruction | None) -> int:
    name = each.mnemonic.removesuffix(".w")
    if _SEVERAL.match(name):
        return 1 + len(registers(each.op_str))
    if name.startswith(("ldrd", "strd")):
        return 3
    if _SINGLE.match(name):
        return _single(core, each, previous)
    return core.multiply.get(name, 1)


def _single(core: Core, each: Instruction, previous: Instruction | None) -> int:
    """Return the cycles of a load or store of one register."""
    if not core.pipelined_loads:
        return 2
    if each.mnemonic.startswith("str"):
        return 1
    follows = previous is not None and _SINGLE.match(previous.mnemonic) is not None
    if previous is None or not follows:
        return 2
    # A load whose address the load before it brings has to wait for it.
    loaded = previous.op_str.split(",")[0]
    address = REGISTER.findall(each.op_str)[1:]
    waits = previous.mnemonic.startswith("ldr") and loaded in address
    return 2 if waits else 1
