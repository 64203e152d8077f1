# SPDX-License-Identifier: Apache-2.0
"""Calls of RISC-V assembly with chosen registers, on the simulated processor."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING

import assembly_programs
from assembly_programs import CORE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from samara.bench import images, simulators

RV32 = CORE / "arch" / "rv32"

ARGUMENTS = tuple(f"a{n}" for n in range(8))
# These, the stack, gp and tp belong to the caller.
KEPT = tuple(f"s{n}" for n in range(12))
FREE = tuple(f"t{n}" for n in range(1, 7))
BEFORE = (*ARGUMENTS, *KEPT, "tp", *FREE)
_AFTER = (*BEFORE, "gp", "sp")
_SAVED = (*KEPT, "ra", "tp")
BUFFER_BYTES = 0x200
BUFFERS = 6
_FRAME = 96
_NINTH, _CANARY, _SAVED_AT = 0, 4, 16


def _words(instruction: str, names: Sequence[str], base: str, first: int = 0) -> str:
    lines = (
        f"{instruction} {name}, {first + 4 * n}({base})" for n, name in enumerate(names)
    )
    return "".join(f"{line}\\n " for line in lines)


# The call number `which`, with the registers of `before` and a ninth argument;
# `after` takes what it leaves, and the word of the stack above the ninth argument.
_PROGRAM = f"""
#include <stdint.h>
volatile uint32_t which;
uint32_t before[{len(BEFORE)}], after[{len(_AFTER) + 1}], stack, ninth;
uint8_t buffers[{BUFFERS}][{BUFFER_BYTES}] __attribute__((aligned(8)));
#define CALL(name) \\
  __attribute__((naked)) static void call_##name(void) {{ \\
    __asm__("addi sp, sp, -{_FRAME}\\n {_words("sw", _SAVED, "sp", _SAVED_AT)}" \\
            "la t0, stack\\n sw sp, 0(t0)\\n" \\
            "la t0, ninth\\n lw t0, 0(t0)\\n sw t0, {_NINTH}(sp)\\n" \\
            "li t0, 0x5a5a1234\\n sw t0, {_CANARY}(sp)\\n" \\
            "la t0, before\\n {_words("lw", BEFORE, "t0")}" \\
            ".global at_" #name "\\n at_" #name ": call " #name "\\n" \\
            "la t0, after\\n {_words("sw", _AFTER, "t0")}" \\
            "lw t1, {_CANARY}(sp)\\n sw t1, {4 * len(_AFTER)}(t0)\\n" \\
            ".global behind_" #name "\\n behind_" #name ":\\n" \\
            "{_words("lw", _SAVED, "sp", _SAVED_AT)} addi sp, sp, {_FRAME}\\n ret"); \\
  }}
"""
_MAIN = """
int main(void) {
  for (;;) {
    __asm__ __volatile__(".global ready\\n ready: nop" : : : "memory");
    switch (which) {
"""

TURNS = 4


def linked(
    folder: Path, functions: Sequence[str], names: Sequence[str]
) -> images.Image:
    """Return a program that calls each function, from files named NAME_rv32.c."""
    calls, cases = assembly_programs.calls_of(functions)
    text = f"{_PROGRAM}{calls}{_MAIN}{cases}    }}\n  }}\n}}\n"
    assembly = [RV32 / f"{name}_rv32.c" for name in names]
    sources = [CORE / "common" / "stack.c", *assembly]
    options = ["-DSAMARA_MULTIPLIES=0"]
    return assembly_programs.linked(folder, "ibex", text, sources, *options)


class Calls:
    """A processor that makes calls, one after another."""

    def __init__(
        self,
        image: images.Image,
        simulator: simulators.Simulator,
        functions: Sequence[str],
    ) -> None:
        self.image = image
        self.simulator = simulator
        self.symbols = image.symbols
        self._numbers = list(functions)
        # Behind the start, which zeros the buffers.
        self._go("ready")

    def place(self, buffer: int) -> int:
        return self.symbols["buffers"] + BUFFER_BYTES * buffer

    def begin(self, name: str, arguments: Sequence[int], rest: Sequence[int]) -> None:
        """Set the registers of a call, and go to it."""
        registers = [*arguments, *rest][: len(BEFORE)]
        packed = struct.pack(f"<{len(BEFORE)}I", *registers)
        self.simulator.write(self.symbols["before"], packed)
        number = struct.pack("<I", self._numbers.index(name))
        self.simulator.write(self.symbols["which"], number)
        self._go(f"at_{name}")

    def end(self, name: str) -> dict[str, int]:
        """Return the registers behind the call."""
        self._go(f"behind_{name}")
        size = 4 * (len(_AFTER) + 1)
        found = self.simulator.read(self.symbols["after"], size)
        values = struct.unpack(f"<{len(_AFTER) + 1}I", found)
        self._go("ready")
        return dict(zip((*_AFTER, "canary"), values, strict=True))

    def call(
        self, name: str, arguments: Sequence[int], rest: Sequence[int] | None = None
    ) -> dict[str, int]:
        self.begin(name, arguments, rest or [0] * len(BEFORE))
        return self.end(name)

    def stack(self) -> int:
        """Return the stack pointer of the call."""
        (value,) = struct.unpack("<I", self.simulator.read(self.symbols["stack"], 4))
        return int(value)

    def _go(self, symbol: str) -> None:
        self.simulator.go(self.symbols[symbol], limit=1_000_000, floor=0)

    def check_registers(self, name: str, given: Sequence[str | int]) -> None:
        """Make calls with random registers, and see that the caller's are kept.

        Several times: a register that is changed may be as it was by chance.
        """
        for turn in range(TURNS):
            chance = random.Random(f"{name} {turn}")  # noqa: S311 - any registers
            arguments = [
                self.place(int(value)) if isinstance(value, str) else value
                for value in given
            ]
            rest = [chance.getrandbits(32) for _ in BEFORE]
            self.simulator.write(
                self.place(0), chance.randbytes(BUFFERS * BUFFER_BYTES)
            )
            after = self.call(name, arguments, rest)
            expected = dict(zip(BEFORE, [*arguments, *rest], strict=False))
            for register in (*KEPT, "tp"):
                assert after[register] == expected[register], register
            assert after["sp"] == self.stack()
            assert after["gp"] == self.symbols["__global_pointer$"]
            assert after["canary"] == 0x5A5A1234
