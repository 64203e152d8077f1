# SPDX-License-Identifier: Apache-2.0
"""The assembly of bit-sliced Grain for x86-64: what is in it, and what it computes."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "core/arch/x86_64/generate/grain128_clocks.py"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("grain128_clocks", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


GRAIN = _generator()
MACHINES = (GRAIN.Avx2, GRAIN.Avx512)


def _lines(machine: type) -> list[str]:
    written = machine()
    lines: list[str] = GRAIN.Writer(written, GRAIN.order(written.starts)).write()
    instructions = [line for line in lines if not line.startswith("/* Time ")]
    assert 0 < len(lines) - len(instructions) < len(instructions) // 10
    return instructions


@pytest.mark.parametrize("machine", MACHINES)
def test_no_time_or_address_depends_on_planes(machine: type) -> None:
    """Memcheck does not know AVX-512: here the text itself is what is looked at.

    Only moves and logic, on whole registers; every address is one of the function's
    pointers and a constant.
    """
    register = r"%%[yz]mm\d+"
    operand = rf"(?:{register}|-?\d+\(%\[(?:p[0-3]|y|sums)\]\))"
    logic = r"(?:vmovdqu(?:64)?|vpxorq?|vpandq?|vpternlogq \$0x\w+,)"
    allowed = re.compile(rf"{logic} {operand}(?:, {operand}){{1,2}}")
    assert [line for line in _lines(machine) if not allowed.fullmatch(line)] == []


def _run(lines: list[str], memory: dict[str, int], size: int) -> None:
    """Execute instructions on planes of 64 lanes, `memory` being planes by address."""

    def key(operand: str) -> str:
        if "(" not in operand:
            return operand
        offset, pointer = operand.rstrip(")").split("(")
        plane, rest = divmod(int(offset), size)
        assert rest == 0
        return f"{pointer}{plane:+d}"

    tables = {
        "$0x96": lambda a, b, c: a ^ b ^ c,
        "$0x78": lambda a, b, c: a ^ (b & c),
        "$0x80": lambda a, b, c: a & b & c,
    }
    for line in lines:
        name, rest = line.split(" ", 1)
        operands = rest.split(", ")
        *read, to = map(key, operands[1:] if name == "vpternlogq" else operands)
        values = [memory[operand] for operand in read]
        if name.startswith("vmov"):
            (memory[to],) = values
        elif name.startswith("vpxor"):
            memory[to] = values[0] ^ values[1]
        elif name.startswith("vpand"):
            memory[to] = values[0] & values[1]
        else:
            memory[to] = tables[operands[0]](memory[to], values[1], values[0])


def _reference(nfsr: list[int], lfsr: list[int]) -> list[int]:
    """Clock the specification's registers 32 times, in place; return the output."""
    output = []
    for _ in range(32):
        b, s = nfsr, lfsr
        output.append(
            (b[12] & s[8])
            ^ (s[13] & s[20])
            ^ (b[95] & s[42])
            ^ (s[60] & s[79])
            ^ (b[12] & b[95] & s[94])
            ^ s[93]
            ^ (b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89])
        )
        new = s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96]
        for one, two in (
            *((3, 67), (11, 13), (17, 18), (27, 59)),
            *((40, 48), (61, 65), (68, 84)),
        ):
            new ^= b[one] & b[two]
        new ^= (b[88] & b[92] & b[93] & b[95]) ^ (b[22] & b[24] & b[25])
        new ^= b[70] & b[78] & b[82]
        feedback = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96]
        nfsr[:] = [*b[1:], new]
        lfsr[:] = [*s[1:], feedback]
    return output


@pytest.mark.parametrize("machine", MACHINES)
def test_the_instructions_are_grain(machine: type) -> None:
    """On any machine, whether it has these instructions or not."""
    source = random.Random(1)  # noqa: S311 - not for secrets
    nfsr = [source.getrandbits(64) for _ in range(128)]
    lfsr = [source.getrandbits(64) for _ in range(128)]
    # Pointer i lies 64 planes behind the quarter i of the NFSR.
    memory = {}
    for register, planes in ((0, nfsr), (128, lfsr)):
        for i, plane in enumerate(planes):
            quarter, place = divmod(i, 32)
            memory[f"%[p{quarter}]{register + place - 64:+d}"] = plane
    _run(_lines(machine), memory, machine.lanes // 8)  # type: ignore[attr-defined]
    output = _reference(nfsr, lfsr)
    assert [memory[f"%[y]{i:+d}"] for i in range(32)] == output
    assert [memory[f"%[p0]{i - 64:+d}"] for i in range(32)] == nfsr[96:]
    assert [memory[f"%[p0]{i + 64:+d}"] for i in range(32)] == lfsr[96:]
