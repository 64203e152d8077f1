# SPDX-License-Identifier: Apache-2.0
"""What an instruction of a Cortex-M33 waits for, and when its results are there.

The facts and their source are in `cortex_m33`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara.bench.simulators.cortex_code import CONDITIONS, REGISTER, registers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.simulators.cortex_code import Instruction

SECOND_STAGE = 2
"""Cycles to the result of an instruction that works in both stages."""
DIVISION = 11
"""Cycles of the longest."""
NARROW = 2
"""Bytes of a narrow instruction."""
_IN_PLACE = 2
"""Operands of one whose first operand is a source too."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction on its way through the pipeline."""

    takes: int = 1
    """Cycles until the next one can begin."""
    early: frozenset[str] = frozenset()
    """Registers that it reads when it begins."""
    late: frozenset[str] = frozenset()
    """Registers that it reads a cycle later."""
    takes_loads_late: bool = True
    """Whether a register in `late` may also come from a load that early."""
    gives: Mapping[str, int] = field(default_factory=dict)
    """Cycles from its beginning until another can read each of its results."""
    is_load: bool = False
    reads_flags: bool = False
    gives_flags: int = 0
    """The same of the condition flags; 0 if it leaves them."""


_OTHER_NAMES = {
    "sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "sp": "r13", "lr": "r14",
    "pc": "r15",
}  # fmt: skip
_SPLIT = re.compile(r",\s*(?![^\[{]*[\]}])")
_SHIFTED = re.compile(r"((lsl|lsr|asr|ror) #\d+|rrx)$")
_IT = re.compile(r"it[te]{0,3}")
_CONDITION = re.compile(rf"({CONDITIONS})$")

_TWO_OPERANDS = "add|adc|sub|sbc|rsb|and|bic|orr|orn|eor"
_MOVES = "mov|movw|mvn|adr|[us]xt[bh]|[us]xtb16|rev|rev16|revsh|rbit|clz"
_SHIFTS = "lsl|lsr|asr|ror|rrx"
_COMPARISON = re.compile("cmp|cmn|tst|teq")
_COMPUTATION = re.compile(rf"({_TWO_OPERANDS}|{_MOVES}|{_SHIFTS}|addw|subw)s?")
_FLAGS_TOO = re.compile(rf"({_TWO_OPERANDS}|mov|mvn|{_SHIFTS}|mul)s")
_OPERAND2 = re.compile(rf"({_TWO_OPERANDS}|mvn|cmp|cmn|tst|teq)s?")
_CARRY = re.compile(r"(adc|sbc|rrx)s?")
_ONE_SOURCE = re.compile(rf"({_MOVES})s?")
_KEEPS_PART = re.compile(r"movt|bfi|bfc")
_EXTEND_AND_ADD = re.compile(r"[us]xta(b|h|b16)")
_LONG = re.compile("[us]mull")
_LONG_AND_ADD = re.compile(r"umaal|[us]mlal|smlald?x?|smlsldx?|smlal[bt][bt]")
_MULTIPLY_AND_ADD = re.compile(
    r"mla|mls|smla[bt][bt]|smlaw[bt]|smla[ds]x?|smls[ds]x?|smml[as]r?|usada8"
)
_MULTIPLY = re.compile(r"muls?|smul[bt][bt]|smulw[bt]|smmulr?|smu[as]dx?|usad8")
_SIMD = re.compile(
    r"([su]h?|u?q)(add16|add8|sub16|sub8|asx|sax)|qd?(add|sub)|pkh(bt|tb)"
    r"|[us]sat(16)?|sel"
)
_DIVIDE = re.compile("[us]div")
_LOAD = re.compile(r"ldr(b|h|sb|sh|d)?t?")
_STORE = re.compile(r"str(b|h|d)?t?")
_SEVERAL = re.compile(r"(?P<load>pop|ldm)|push|stm")
_TABLE_BRANCH = re.compile("tb[bh]")


def starts_it_block(mnemonic: str) -> bool:
    """Return whether an instruction makes the following conditional."""
    return _IT.fullmatch(mnemonic) is not None


def step_of(each: Instruction, *, conditional: bool = False) -> Step:
    """Return what an instruction waits for and gives.

    Parameters
    ----------
    each
        No branch.
    conditional
        Whether an IT before it makes it so.
    """
    name = each.mnemonic.removesuffix(".w").removesuffix(".n")
    if conditional:
        name = _CONDITION.sub("", name)
    # It need not wait for the flags: an IT is never so close behind them.
    return _step(name, each)


def _step(name: str, each: Instruction) -> Step:
    operands = _SPLIT.split(each.op_str)
    if several := _SEVERAL.match(name):
        return _several(each.op_str, loads=several["load"] is not None)
    if _LOAD.fullmatch(name) or _STORE.fullmatch(name):
        return _memory(name, operands)
    for pattern, reader in _READERS:
        if pattern.fullmatch(name):
            return reader(name, operands, each.size)
    # Others, such as UBFX: one stage, and the first operand is the result.
    return Step(early=names(*operands[1:]), gives=dict.fromkeys(names(operands[0]), 1))


def names(*operands: str) -> frozenset[str]:
    """Return the registers that operands name, each by its number."""
    found = (name for text in operands for name in REGISTER.findall(text))
    return frozenset(_OTHER_NAMES.get(name, name) for name in found)


def _several(operands: str, *, loads: bool) -> Step:
    """Return the step of one that loads or stores a register a cycle."""
    listed = [_OTHER_NAMES.get(name, name) for name in registers(operands)]
    base = operands[: operands.find("{")]
    address = names(base) or frozenset({"r13"})
    moves_base = "!" in base or not base
    given = {name: 1 for name in address if moves_base}
    if not loads:
        return Step(len(listed), address, frozenset(listed), gives=given)
    given |= {name: at + SECOND_STAGE for at, name in enumerate(listed)}
    return Step(len(listed), address, gives=given, is_load=True)


def _memory(name: str, operands: list[str]) -> Step:
    """Return the step of a load or store of one register or two."""
    first = next(at for at, text in enumerate(operands) if "[" in text)
    data, address = operands[:first], operands[first:]
    takes = 2 if name[3:].startswith("d") else 1
    # "[r0, #4]!" and "[r0], #4" move the base.
    moves_base = address[0].endswith("!") or len(address) > 1
    base = REGISTER.findall(address[0])[:1] if moves_base else []
    given = dict.fromkeys(names(*base), 1)
    if name.startswith("str"):
        return Step(takes, names(*address), names(*data), gives=given)
    for at, text in enumerate(data):
        given |= dict.fromkeys(names(text), at + SECOND_STAGE)
    return Step(takes, names(*address), gives=given, is_load=True)


def _comparison(name: str, operands: list[str], size: int) -> Step:
    return Step(
        2 if _constant_is_shifted(name, operands, size) else 1,
        names(*operands),
        gives_flags=SECOND_STAGE if _SHIFTED.search(operands[-1]) else 1,
    )


def _computation(name: str, operands: list[str], size: int) -> Step:
    """Return the step of a move, sum, logical operation or shift."""
    constant = _constant_is_shifted(name, operands, size)
    register = bool(_OPERAND2.fullmatch(name) and _SHIFTED.search(operands[-1]))
    flags = _FLAGS_TOO.fullmatch(name) is not None
    is_source = _KEEPS_PART.fullmatch(name) or (
        len(operands) == _IN_PLACE and not _ONE_SOURCE.fullmatch(name)
    )
    sources = operands if is_source else operands[1:]
    latency = SECOND_STAGE if constant or register else 1
    return Step(
        2 if constant and flags else 1,
        names(*sources),
        gives=dict.fromkeys(names(operands[0]), latency),
        reads_flags=_CARRY.fullmatch(name) is not None,
        gives_flags=0 if not flags else SECOND_STAGE if register else 1,
    )


def _constant_is_shifted(name: str, operands: list[str], size: int) -> bool:
    """Return whether an operand is eight bits that are moved, not a simple pattern."""
    number = operands[-1].removeprefix("#")
    if size == NARROW or number == operands[-1] or not _OPERAND2.fullmatch(name):
        return False
    value = int(number, 0) & 0xFFFFFFFF
    low, next_byte = value & 0xFF, value >> 8 & 0xFF
    patterns = (low, low * 0x10001, next_byte * 0x1000100, low * 0x1010101)
    return value not in patterns


def _multiplication(name: str, operands: list[str], _: int) -> Step:
    """Return the step of a product that nothing is added to."""
    flags = name == "muls"
    results = operands[:2] if _LONG.fullmatch(name) else operands[:1]
    sources = operands if len(operands) == _IN_PLACE else operands[len(results) :]
    return Step(
        2 if flags else 1,
        names(*sources),
        gives=dict.fromkeys(names(*results), SECOND_STAGE),
        gives_flags=int(flags),
    )


def _multiplication_and_sum(_: str, operands: list[str], __: int) -> Step:
    return Step(
        early=names(*operands[1:3]),
        late=names(operands[3]),
        gives=dict.fromkeys(names(operands[0]), SECOND_STAGE),
    )


def _long_multiplication_and_sum(_: str, operands: list[str], __: int) -> Step:
    sums = names(*operands[:2])
    return Step(
        early=names(*operands[2:]),
        late=sums,
        gives=dict.fromkeys(sums, SECOND_STAGE),
    )


def _extension_and_sum(_: str, operands: list[str], __: int) -> Step:
    return Step(
        early=names(*operands[2:]),
        late=names(operands[1]),
        takes_loads_late=False,
        gives=dict.fromkeys(names(operands[0]), SECOND_STAGE),
    )


def _in_parts(_: str, operands: list[str], __: int) -> Step:
    return Step(
        early=names(*operands[1:]),
        gives=dict.fromkeys(names(operands[0]), SECOND_STAGE),
    )


def _division(_: str, operands: list[str], __: int) -> Step:
    sources = operands if len(operands) == _IN_PLACE else operands[1:]
    return Step(
        DIVISION, names(*sources), gives=dict.fromkeys(names(operands[0]), DIVISION)
    )


def _table_branch(_: str, operands: list[str], __: int) -> Step:
    return Step(early=names(*operands))


_READERS = (
    (_COMPARISON, _comparison),
    (_COMPUTATION, _computation),
    (_KEEPS_PART, _computation),
    (_MULTIPLY, _multiplication),
    (_LONG, _multiplication),
    (_MULTIPLY_AND_ADD, _multiplication_and_sum),
    (_LONG_AND_ADD, _long_multiplication_and_sum),
    (_EXTEND_AND_ADD, _extension_and_sum),
    (_SIMD, _in_parts),
    (_DIVIDE, _division),
    (_TABLE_BRANCH, _table_branch),
)
