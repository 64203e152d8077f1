# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001, D102 - a program, not a package; Machine says what its methods do
"""Writes grain128_clocks_x86_64.c, bit-sliced Grain, to standard output.

No tap lies above bit 96, so that 32 clocks depend on nothing that they write: their
1,088 terms may be added in any order. The order decides how often a plane, one bit
of all lanes, is read from memory again, and reading limits the speed. Here a term of
clock i is added at time START + i, with a START for each of the 34 terms of one
clock. Terms of one START go through the clocks together; the distance of two STARTS
lets terms meet that read the same plane. Which planes stay in registers is Belady's
choice: the one that is needed again last makes room.

The STARTS were found by simulated annealing; `tools/order-grain-clocks` prices them
and looks for better ones. This program only counts what they cost (with --count).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import NamedTuple

CLOCKS = 32
"""Clocks of a call."""

NEVER = 1 << 30

NFSR, LFSR = "b", "s"
"""Planes of the registers; a plane is (register, index), index 0 for the oldest."""

F, L, Y = "f", "l", "y"
"""Feedbacks of the NFSR and the LFSR, and the pre-output; a sum is (name, clock)."""

Value = tuple[str, int]


class Term(NamedTuple):
    """A term of a sum: `kind` says how its planes, given for clock 0, are combined."""

    sum: str
    kind: str
    planes: tuple[Value, ...]


def b(*taps: int) -> tuple[Value, ...]:
    """Return planes of the NFSR."""
    return tuple((NFSR, tap) for tap in taps)


def s(*taps: int) -> tuple[Value, ...]:
    """Return planes of the LFSR."""
    return tuple((LFSR, tap) for tap in taps)


# Kinds of terms: a plane; products of two, three and four; and, for the only plane
# that two products have in common, p0 (p1 + p2 p3).
PLANE, TWO, THREE, FOUR, COMMON = "plane", "two", "three", "four", "common"

# The functions F, y and L of the specification, section 2.1.
TERMS = (
    Term(F, TWO, b(27, 59)),
    Term(F, TWO, b(11, 13)),
    Term(F, TWO, b(40, 48)),
    Term(F, TWO, b(17, 18)),
    Term(F, TWO, b(61, 65)),
    Term(F, TWO, b(68, 84)),
    Term(F, TWO, b(3, 67)),
    Term(F, THREE, b(22, 24, 25)),
    Term(F, THREE, b(70, 78, 82)),
    Term(F, FOUR, b(88, 92, 93, 95)),
    *(Term(F, PLANE, b(tap)) for tap in (0, 26, 56, 91, 96)),
    Term(F, PLANE, s(0)),
    Term(Y, TWO, s(13, 20)),
    Term(Y, TWO, b(95) + s(42)),
    Term(Y, TWO, s(60, 79)),
    Term(Y, COMMON, b(12) + s(8) + b(95) + s(94)),
    Term(Y, PLANE, s(93)),
    *(Term(Y, PLANE, b(tap)) for tap in (2, 15, 36, 45, 64, 73, 89)),
    *(Term(L, PLANE, s(tap)) for tap in (0, 7, 38, 70, 81, 96)),
)

REGISTERS = {NFSR: 0, LFSR: 128}
"""Where the planes of each register begin in the state, in planes."""


class Machine:
    """The instructions of one width. An operand is a register or text in memory."""

    lanes: int
    registers: int
    """Registers for planes and sums; two more are for what lasts one term."""
    starts: tuple[int, ...]

    def __init__(self) -> None:
        """Begin with no instruction."""
        self.lines: list[str] = []
        self.loads = self.stores = self.operations = 0

    def emit(self, name: str, *operands: str) -> None:
        """Write an instruction, its destination last, as the assembler reads it."""
        self.lines.append(f"{name} {', '.join(operands)}")
        self.loads += any("(" in operand for operand in operands[:-1])
        self.stores += "(" in operands[-1]
        self.operations += not name.startswith("vmov")

    def register(self, index: int) -> str:
        """Return the name of a register."""
        raise NotImplementedError

    def move(self, to: str, value: str) -> None:
        """Copy, load or store."""
        raise NotImplementedError

    def xor(self, to: str, a: str, value: str) -> None:
        """Write to = a ^ value."""
        raise NotImplementedError

    def and_(self, to: str, a: str, value: str) -> None:
        """Write to = a & value."""
        raise NotImplementedError

    def add_two(self, to: str, a: str, value: str) -> None:
        """Write to ^= a ^ value."""
        raise NotImplementedError

    def add_product(self, to: str, a: str, value: str, spare: str) -> None:
        """Write to ^= a & value; `spare` may be overwritten, and may be `a`."""
        raise NotImplementedError

    def and_two(self, to: str, a: str, value: str) -> None:
        """Write to &= a & value."""
        raise NotImplementedError


class Avx512(Machine):
    """512 lanes: any function of three bits is one instruction."""

    lanes = 512
    registers = 30
    starts = (
        *(35, 1, 47, 3, 41, 47, 44, 33, 47, 1, 41, 34, 34, 3, 3, 0),
        *(3, 3, 2, 2, 1, 43, 1, 44, 44, 43, 43, 1, 0, 0, 0, 0, 3, 3),
    )

    def register(self, index: int) -> str:
        return f"%%zmm{index}"

    def move(self, to: str, value: str) -> None:
        self.emit("vmovdqu64", value, to)

    def xor(self, to: str, a: str, value: str) -> None:
        self.emit("vpxorq", value, a, to)

    def and_(self, to: str, a: str, value: str) -> None:
        self.emit("vpandq", value, a, to)

    def _ternary(self, table: int, to: str, a: str, value: str) -> None:
        self.emit("vpternlogq", f"${table:#x}", value, a, to)

    def add_two(self, to: str, a: str, value: str) -> None:
        self._ternary(0x96, to, a, value)

    def add_product(self, to: str, a: str, value: str, spare: str) -> None:
        del spare
        self._ternary(0x78, to, a, value)

    def and_two(self, to: str, a: str, value: str) -> None:
        self._ternary(0x80, to, a, value)


class Avx2(Machine):
    """256 lanes."""

    lanes = 256
    registers = 14
    starts = Avx512.starts

    def register(self, index: int) -> str:
        return f"%%ymm{index}"

    def move(self, to: str, value: str) -> None:
        self.emit("vmovdqu", value, to)

    def xor(self, to: str, a: str, value: str) -> None:
        self.emit("vpxor", value, a, to)

    def and_(self, to: str, a: str, value: str) -> None:
        self.emit("vpand", value, a, to)

    def add_two(self, to: str, a: str, value: str) -> None:
        self.xor(to, to, a)
        self.xor(to, to, value)

    def add_product(self, to: str, a: str, value: str, spare: str) -> None:
        self.and_(spare, a, value)
        self.xor(to, to, spare)

    def and_two(self, to: str, a: str, value: str) -> None:
        self.and_(to, to, a)
        self.and_(to, to, value)


@dataclass
class Step:
    """Terms of one sum that are added together."""

    sum: Value
    terms: list[Term]
    clock: int
    time: int
    """START of its first term + clock."""

    def planes(self) -> list[Value]:
        """Return the planes that are read, each once."""
        planes = [
            (register, tap + self.clock)
            for term in self.terms
            for register, tap in term.planes
        ]
        return list(dict.fromkeys(planes))


def order(starts: tuple[int, ...]) -> list[Step]:
    """Return all steps of a call in their order."""
    linear = (PLANE, THREE)
    timed = sorted(
        (start + i, (Y, L, F).index(term.sum), start, term.kind in linear, number, i)
        for number, (term, start) in enumerate(zip(TERMS, starts, strict=True))
        for i in range(CLOCKS)
    )
    steps: list[Step] = []
    for time, *_, number, i in timed:
        term = TERMS[number]
        last = steps[-1] if steps else None
        # Two terms that are added alone share an instruction, one product at most.
        if (
            last is not None
            and last.sum == (term.sum, i)
            and len(last.terms) == 1
            and {last.terms[0].kind, term.kind} <= set(linear)
            and PLANE in {last.terms[0].kind, term.kind}
        ):
            last.terms.append(term)
        else:
            steps.append(Step((term.sum, i), [term], i, time))
    return steps


@dataclass
class Writer:
    """Turns steps into instructions."""

    machine: Machine
    steps: list[Step]
    place: dict[Value, str] = field(default_factory=dict)
    """Registers of values, by value."""
    uses: dict[Value, list[int]] = field(default_factory=dict)
    """Steps that use a value, the next one last."""
    begun: set[Value] = field(default_factory=set)
    waiting: list[Value] = field(default_factory=list)
    """Sums that are complete, while the plane in their place is still read."""

    def __post_init__(self) -> None:
        """Find when each value is used, and which registers there are."""
        for number, step in reversed(list(enumerate(self.steps))):
            for value in [*step.planes(), step.sum]:
                self.uses.setdefault(value, []).append(number)
        count = self.machine.registers
        self.free = [self.machine.register(i) for i in range(count)]
        self.spare = [self.machine.register(count + i) for i in range(2)]
        self.size = self.machine.lanes // 8

    def memory(self, value: Value) -> str:
        """Return where a value lies: four pointers lie 64 planes behind a quarter."""
        name, index = value
        if name == Y:
            return f"{index * self.size}(%[y])"
        if name in {F, L}:
            return f"{(index + CLOCKS * (name == L)) * self.size}(%[sums])"
        quarter, index = divmod(index, CLOCKS)
        return f"{(REGISTERS[name] + index - 64) * self.size}(%[p{quarter}])"

    def next_use(self, value: Value) -> int:
        """Return the next step that uses a value."""
        uses = self.uses.get(value)
        return uses[-1] if uses else NEVER

    def make_room(self, next_use: int, now: int, touched: set[Value]) -> bool:
        """Free a register, unless all others are needed before `next_use`."""
        if self.free:
            return True
        best, score = None, float(next_use - now)
        for value in self.place:
            if value in touched:
                continue
            distance = float(self.next_use(value) - now)
            if value[0] in {F, L, Y}:
                distance /= 2  # it is to be stored, too
            if distance > score:
                best, score = value, distance
        if best is None:
            return False
        register = self.place.pop(best)
        if best[0] in {F, L, Y}:
            self.machine.move(self.memory(best), register)
        self.free.append(register)
        return True

    def bring(self, value: Value, now: int, touched: set[Value]) -> None:
        """Give a value a register if it is worth one, and read it."""
        if value in self.place:
            return
        is_sum = value[0] in {F, L, Y}
        next_use = now if is_sum else self.next_use(value)
        if next_use == NEVER or not self.make_room(next_use, now, touched):
            return
        self.place[value] = self.free.pop(0)
        if not is_sum or value in self.begun:
            self.machine.move(self.place[value], self.memory(value))

    def operand(self, value: Value) -> str:
        """Return a value's register, or its place in memory."""
        return self.place.get(value, self.memory(value))

    def in_register(self, operand: str, spare: str) -> str:
        """Return an operand, or `spare` with what it has in memory."""
        if "(" not in operand:
            return operand
        self.machine.move(spare, operand)
        return spare

    def ordered(self, operands: list[str]) -> list[str]:
        """Return operands with those in memory last."""
        return sorted(operands, key=lambda operand: "(" in operand)

    def product(self, operands: list[str]) -> str:
        """Write the product of three operands; return its register."""
        machine, (spare, other) = self.machine, self.spare
        one, two, three = self.ordered(operands)
        machine.move(spare, three)
        one = self.in_register(one, other)
        machine.and_two(spare, one, two)
        return spare

    def add(self, step: Step) -> None:
        """Write the instructions of a step."""
        machine, (spare, other) = self.machine, self.spare
        to = self.place[step.sum]
        fresh = step.sum not in self.begun
        operands = [
            [self.operand((name, tap + step.clock)) for name, tap in term.planes]
            for term in step.terms
        ]
        kind = step.terms[0].kind
        if kind in {PLANE, THREE}:
            parts = [
                part[0] if len(part) == 1 else self.product(part)
                for part in sorted(operands, key=len, reverse=True)
            ]
            self.add_parts(to, self.ordered(parts), fresh=fresh)
        elif kind == TWO:
            one, two = self.ordered(operands[0])
            one = self.in_register(one, spare)
            if fresh:
                machine.and_(to, one, two)
            else:
                machine.add_product(to, one, two, spare)
        elif kind == FOUR:
            *three, four = self.ordered(operands[0])
            self.add_last(to, self.product(three), four, fresh=fresh)
        else:
            common, alone, *two = operands[0]
            machine.move(spare, alone)
            one, value = self.ordered(two)
            machine.add_product(spare, self.in_register(one, other), value, other)
            self.add_last(to, spare, common, fresh=fresh)

    def add_last(self, to: str, spare: str, value: str, *, fresh: bool) -> None:
        """Write the addition of a product, `spare` times `value`."""
        if fresh:
            self.machine.and_(to, spare, value)
        else:
            self.machine.add_product(to, spare, value, spare)

    def add_parts(self, to: str, parts: list[str], *, fresh: bool) -> None:
        """Write the addition of one or two operands."""
        machine = self.machine
        if len(parts) == 1 and fresh:
            machine.move(to, parts[0])
        elif len(parts) == 1:
            machine.xor(to, to, parts[0])
        else:
            one = self.in_register(parts[0], self.spare[1])
            if fresh:
                machine.xor(to, one, parts[1])
            else:
                machine.add_two(to, one, parts[1])

    def release(self, value: Value) -> None:
        """Free the register of a value that is not used again."""
        if self.next_use(value) == NEVER and value in self.place:
            self.free.insert(0, self.place.pop(value))

    def result(self, value: Value) -> Value:
        """Return where a complete sum belongs: over the plane that leaves."""
        name, clock = value
        return {F: (NFSR, clock), L: (LFSR, clock), Y: value}[name]

    def store_complete(self) -> None:
        """Store sums whose place is not read again."""
        for value in list(self.waiting):
            if self.next_use(self.result(value)) != NEVER:
                continue
            self.waiting.remove(value)
            if value not in self.place:
                self.machine.move(self.spare[0], self.memory(value))
            self.machine.move(
                self.memory(self.result(value)), self.place.get(value, self.spare[0])
            )
            self.release(value)

    def at(self, time: int) -> str:
        """Return a comment: the sums that something is added to, with their clocks."""
        clocks: dict[str, dict[int, None]] = {}
        for step in self.steps:
            if step.time == time:
                clocks.setdefault(step.sum[0].upper(), {})[step.clock] = None
        sums = (f"{name} of {', '.join(map(str, of))}" for name, of in clocks.items())
        return f"/* Time {time}: terms of {'; '.join(sums)}. */"

    def write(self) -> list[str]:
        """Return the instructions of all steps, with a comment for each time."""
        time = self.steps[0].time
        for now, step in enumerate(self.steps):
            if step.time != time:
                time = step.time
                self.machine.lines.append(self.at(time))
            values = [*step.planes(), step.sum]
            touched = set(values)
            for value in values:
                self.uses[value].pop()
            for value in reversed(values):
                self.bring(value, now, touched)
            self.add(step)
            self.begun.add(step.sum)
            if self.next_use(step.sum) == NEVER:
                self.waiting.append(step.sum)
            for value in values[:-1]:
                self.release(value)
            self.store_complete()
        return self.machine.lines


IDEA = """
/* 32 clocks of bit-sliced Grain-128AEADv2 for 256 and 512 lanes, in assembly.
 *
 * The idea: what limits the speed is how many planes are read from memory, and
 * a compiler, which keeps the order of the source, reads twice as many as are
 * needed. The generator has the order and the registers. The registers of Grain
 * stay where they are: a new plane takes the place of the one that leaves, and
 * after 32 clocks the quarters of the registers change places.
 *
 * `planes` has 128 planes of the NFSR, then those of the LFSR, as they are
 * after a multiple of 128 clocks; `quarter`, 0 to 3, is the 32 clocks behind
 * that to be done. Their pre-output goes to 32 planes at `y`. `sums` is 64
 * planes of memory for sums that wait, which are secret.
 *
 * The comments name sums by letters, F and L for the feedbacks of NFSR and LFSR,
 * Y for the pre-output, each with its clock, 0 to 31: a term with the number
 * START is added for clock i at the time START + i.
 *
 * Every instruction is executed whatever the planes have, on addresses that do
 * not depend on them. The vector registers are cleared at the end. */
"""


def function(machine: Machine, features: str) -> str:
    """Return a C function with the instructions of one width."""
    lines = [
        *Writer(machine, order(machine.starts)).write(),
        "vzeroall",
        *(
            f"vpxord {name}, {name}, {name}"
            for name in map(machine.register, range(16, machine.registers + 2))
        ),
    ]
    text = "\n".join(
        line if line.startswith("/*") else f'          "{line}\\n"' for line in lines
    )
    words = machine.lanes // 64
    pointers = "\n".join(
        f"  uint64_t *p{i} = planes + ((quarter + {i}) % 4 * 32 + 64) * {words};"
        for i in range(4)
    )
    clobbered = ", ".join(f'"xmm{i}"' for i in range(machine.registers + 2))
    return f"""
__attribute__((target("{features}"))) void
samara_grain128_clocks_{machine.lanes}_x86_64(uint64_t *planes, unsigned quarter,
                                    uint64_t *y, uint64_t *sums) {{
{pointers}
  __asm__ __volatile__({text.strip()}
    :
    : [p0] "r"(p0), [p1] "r"(p1), [p2] "r"(p2), [p3] "r"(p3), [y] "r"(y),
      [sums] "r"(sums)
    : "memory", {clobbered});
}}
"""


def count(machine: Machine) -> str:
    """Return what a clock costs."""
    Writer(machine, order(machine.starts)).write()
    return (
        f"{machine.lanes} lanes, a clock: {machine.operations / CLOCKS:.2f} operations,"
        f" {machine.loads / CLOCKS:.2f} loads, {machine.stores / CLOCKS:.2f} stores"
    )


def main() -> None:
    """Write the file, or with --count what the orders cost."""
    if "--count" in sys.argv[1:]:
        sys.stdout.write(
            "\n".join(count(machine()) for machine in (Avx2, Avx512)) + "\n"
        )
        return
    sys.stdout.write(
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Generated by core/arch/x86_64/generate/grain128_clocks.py: do not edit."
        " */\n"
        '#include "stream/grain128_clocks.h"\n'
        '#include "arch/x86_64/cpu.h"\n\n'
        "#if SAMARA_ARCH_X86_64\n"
        + IDEA
        + "\n/* NOLINTBEGIN(readability-function-size): generated. */\n"
        + '#pragma GCC diagnostic ignored "-Woverlength-strings"\n'
        + function(Avx2(), "avx2")
        + "\n#if SAMARA_X86_64_SETS & SAMARA_X86_64_AVX512\n"
        + function(Avx512(), "avx512f")
        + "\n#endif\n\n"
        + "/* NOLINTEND(readability-function-size) */\n"
        + "\n#endif\n"
    )


if __name__ == "__main__":
    main()
