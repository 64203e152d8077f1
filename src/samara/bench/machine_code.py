# SPDX-License-Identifier: Apache-2.0
"""How long functions switch interrupts off: read in their machine code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import toolchain
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from samara.bench.devices import Family

_FUNCTION = re.compile(r"[0-9a-f]+ <(.+)>:")
# Address, bytes or words, mnemonic, operands; then a comment, which `# ` may begin: a
# constant of the MSP430 has no space there.
_INSTRUCTION = re.compile(
    r"\s*[0-9a-f]+:\s+(?:[0-9a-f]{2,8} )*[0-9a-f]{2,8}"
    r"\s+([a-z][\w.]*)(?:\s+((?:[^;<#]|#(?! ))*))?"
)

_AVR = "avr"
# Of an AVR: cycles of what may stand between `cli` and the end of it (manual 0856).
# Branches and calls may not: how long they take is not in the code alone.
_ONE_CYCLE = (
    "adc add and andi asr bld bst cli com cp cpc cpi dec eor in inc ldi lsr mov movw"
    " neg nop or ori out ror sbc sbci sei sub subi swap wdr"
)
_TWO_CYCLES = "adiw cbi ld ldd lds mul muls pop push sbi sbiw st std sts"
_CYCLES = dict.fromkeys(_ONE_CYCLE.split(), 1) | dict.fromkeys(_TWO_CYCLES.split(), 2)
_OF_RETURN = {"ret": 4, "reti": 4}
"""Of an instruction after the end, which comes before any interrupt."""
_HALT = 2
"""Cycles that an AVR stands still after bit EEPE of EECR is set (its data sheet)."""
_END = "rjmp .-2"
"""Where a program stays when main has returned."""
_SREG, _START_WRITE = "out 0x3f,", "sbi 0x1f,1"


class Instruction(NamedTuple):
    """A disassembled instruction."""

    function: str
    text: str
    """Its name and operands: one space between them, and none after commas."""


class Window(NamedTuple):
    """A place of a program in which no interrupt comes in."""

    function: str
    cycles: int | None
    """For so long; None where nobody has counted them for this processor."""


class UnknownInstructionError(MisuseError):
    """Interrupts are off for a time that samara cannot count."""


def disassembled(family: Family, file: Path) -> Iterator[Instruction]:
    """Yield the instructions of an object or an image."""
    if not family.disassembler:
        message = f"nothing says what disassembles programs of {family.title}"
        raise MisuseError(message)
    function = ""
    for line in toolchain.run([family.disassembler, "-d", file]).splitlines():
        if begins := _FUNCTION.fullmatch(line):
            function = begins[1]
        elif found := _INSTRUCTION.match(line):
            operands = "".join((found[2] or "").split())
            yield Instruction(function, f"{found[1]} {operands}".strip())


def windows(family: Family, file: Path) -> list[Window]:
    """Return each place of an object or an image where interrupts are off.

    Raises
    ------
    UnknownInstructionError
        When they are off during an instruction whose cycles are not known here, or
        are never let in again.
    """
    code = disassembled(family, file)
    if family.name == _AVR:
        return list(_of_avr(code))
    off = re.compile(family.interrupts_off, re.IGNORECASE)
    return [Window(each.function, None) for each in code if off.fullmatch(each.text)]


def _of_avr(code: Iterator[Instruction]) -> Iterator[Window]:
    begin, cycles, is_over = "", 0, False
    for function, text in code:
        if text == "cli":
            begin, cycles = function, _CYCLES["cli"]
        elif cycles and text == _END:
            cycles = 0
        elif cycles:
            cycles += _cycles_of(function, text, _OF_RETURN if is_over else {})
            if is_over:
                yield Window(begin, cycles)
                cycles = 0
            is_over = text.startswith(_SREG) or text == "sei"
    if cycles:
        message = f"{begin} switches interrupts off, and never lets them in again"
        raise UnknownInstructionError(message)


def _cycles_of(function: str, text: str, more: Mapping[str, int]) -> int:
    name = text.split(maxsplit=1)[0]
    cycles = more.get(name, _CYCLES.get(name))
    if cycles is None:
        message = (
            f"{function} has {name!r} while interrupts are off: how long that takes is"
            " not known here"
        )
        raise UnknownInstructionError(message)
    return cycles + (_HALT if text == _START_WRITE else 0)
