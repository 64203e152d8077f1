# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program's module, not a package
"""Clocks of Grain in AVR assembly, 32 or 16 at a time, for grain128.py."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Registers = Sequence[str]

# The register of Grain that is worked on, byte by byte.
B = [f"r{2 + i}" for i in range(16)]

# The state: offsets from Y.
NFSR, LFSR, USED, ACCUMULATOR, REGISTER, ODD, EVEN = 0, 16, 32, 34, 42, 50, 58
BLOCK = 8  # bytes that are processed between two runs of the generator

# Registers for values that begin with an even byte, and with an odd one: pairs of
# registers are copied together.
VALUES = (["r18", "r19", "r20", "r21", "r22"], ["r19", "r20", "r21", "r22", "r23"])
SUMS = (["r24", "r25", "r30", "r31", "r0"], ["r1", "r24", "r25", "r30", "r31"])
IMMEDIATE = 63  # the most that ADIW adds
SET_STACK = ["in r0, 0x3f", "cli", "out 0x3e, r27", "out 0x3f, r0", "out 0x3d, r26"]


def right(value: Registers, bits: int = 1) -> list[str]:
    """Return a shift to the right, towards bit 0."""
    once = [f"lsr {value[-1]}", *(f"ror {name}" for name in reversed(value[:-1]))]
    return once * bits


def left(value: Registers, bits: int = 1) -> list[str]:
    """Return a shift to the left."""
    return [f"lsl {value[0]}", *(f"rol {name}" for name in value[1:])] * bits


def right_by_4(value: Registers) -> list[str]:
    """Return a shift by 4; bits 4 to 7 of the last byte are wrong behind it."""
    lines = [f"swap {name}" for name in value]
    for low, high in pairwise(value):
        lines += [f"eor {low}, {high}", f"andi {low}, 0x0f", f"eor {low}, {high}"]
    return lines


def each(operation: str, to: Registers, other: Registers) -> list[str]:
    """Return an operation on each byte of `other`."""
    return [f"{operation} {a}, {b}" for a, b in zip(to, other, strict=False)]


def split(low: str, high: str, t: str) -> list[str]:
    """Return even bits of two bytes in the first, odd ones in the second.

    The index of a bit among the 16 has four bits, of which the highest selects the
    byte. It is exchanged with each of the others.
    """
    lines = []
    for mask, down, up in (
        ("0x0f", ["swap"], ["swap"]),
        ("0x33", ["lsr"] * 2, ["lsl"] * 2),
        ("0x55", ["lsr"], ["lsl"]),
    ):
        lines += [f"mov {t}, {low}", *(f"{name} {t}" for name in down)]
        lines += [f"eor {t}, {high}", f"andi {t}, {mask}", f"eor {high}, {t}"]
        lines += [*(f"{name} {t}" for name in up), f"eor {low}, {t}"]
    return lines


def load(offset: int, registers: Registers) -> list[str]:
    """Return the loading of bytes of the state."""
    return [f"ldd {name}, Y+{offset + n}" for n, name in enumerate(registers)]


def store(offset: int, registers: Registers) -> list[str]:
    """Return the storing of bytes of the state."""
    return [f"std Y+{offset + n}, {name}" for n, name in enumerate(registers)]


def forward(bytes_: int) -> list[str]:
    """Return an addition to X."""
    if bytes_ <= IMMEDIATE:
        return [f"adiw r26, {bytes_}"]
    return [f"subi r26, {256 - bytes_}", "sbci r27, 255"]


class Words:
    """The clocks, `width` bytes in a pass: 4, or 2 and less code with a multiplier."""

    def __init__(self, width: int) -> None:
        """Choose registers: one more than `width`, because bits are shifted."""
        self.width = width
        self.narrow = width == 2  # noqa: PLR2004 - half of a word
        self.t = (VALUES[0][: width + 1], VALUES[1][: width + 1])
        self.g = (SUMS[0][: width + 1], SUMS[1][: width + 1])
        self.waiting = 5 * width + 1
        """Bytes that a pass of the LFSR leaves for the NFSR's."""

    def of(self, first: int) -> Registers:
        """Return bytes of Grain's register, of which operations take what they need."""
        return B[first : first + self.width + 1]

    def copy(
        self, to: tuple[Registers, Registers], first: int
    ) -> tuple[list[str], Registers]:
        """Return instructions that copy bytes of Grain's register, and where to."""
        target = to[first % 2]
        lines, n = [], 0
        while n <= self.width:
            pair = n < self.width and (first + n) % 2 == 0
            lines.append(f"{'movw' if pair else 'mov'} {target[n]}, {B[first + n]}")
            n += 2 if pair else 1
        return lines, target

    def product_by_16(self, to: Registers, first: int) -> list[str]:
        """Return bytes of the register, shifted to the right by 4; r22 is 16."""
        lines = []
        for n, name in enumerate(self.of(first)):
            lines += [f"mul {name}, r22"]
            lines += [f"eor {to[n - 1]}, r0"] if n else []
            lines += [f"mov {to[n]}, r1"] if n < len(to) else []
        return lines

    def advance(self) -> list[str]:
        """Return the move of a register by a pass; the new bits are in G."""
        lines = [f"movw r{n}, r{n + self.width}" for n in range(2, 18 - self.width, 2)]
        new = self.g[0][: self.width : 2]
        return lines + [
            f"movw r{18 - self.width + 2 * n}, {name}" for n, name in enumerate(new)
        ]

    def lfsr_for_pre_output(self) -> list[str]:
        """Return the terms of the pre-output that are the LFSR's, left on the stack.

        s13 s20 + s60 s79 + s93, five bytes with the first bit in bit 5; then s94, s42
        and s8, byte by byte in turn; then s0.
        """
        lines, t = self.copy(self.t, 9)
        lines += right(t, 2)
        more, g = self.copy(self.g, 7)
        lines += [*more, *left(g), *each("and", g, t)]
        more, t = self.copy(self.t, 2)
        lines += [*more, *left(t), *each("and", t, self.of(1)), *each("eor", g, t)]
        lines += [*each("eor", g, self.of(11)), *(f"push {name}" for name in g)]
        more, s42 = self.copy(self.t, 5)
        lines += [*more, *right(s42, 2)]
        more, s94 = self.copy(self.g, 11)
        lines += [*more, *left(s94, 2)]
        for n in range(self.width):
            lines += [f"push {s94[n + 1]}", f"push {s42[n]}", f"push {B[1 + n]}"]
        return [*lines, *(f"push {name}" for name in self.of(0)[: self.width])]

    def lfsr_feedback(self) -> list[str]:
        """Return L in G."""
        lines, t = self.copy(self.t, 4)
        lines += [
            *each("eor", t, self.of(8)),
            *left(t),
            *each("eor", t, self.of(0)),
            *left(t),
        ]
        more, g = self.copy(self.g, 10)
        lines += [*more, *right(g), *each("eor", g, t[1:])]
        return [
            *lines,
            *each("eor", g, self.of(0)[: self.width]),
            *each("eor", g, self.of(12)[: self.width]),
        ]

    def pre_output(self) -> list[str]:
        """Return the pre-output in G."""
        g = self.g[0]
        lines = [f"ld {name}, -X" for name in g]
        lines += [*each("eor", g, self.of(5)), *right(g), *each("eor", g, self.of(4))]
        lines += [*right(g, 2), *each("eor", g, self.of(0)), *right(g)]
        lines += [*each("eor", g, self.of(9)), *each("eor", g, self.of(11)), *right(g)]
        lines += each("eor", g, self.of(8)[: self.width])
        more, t = self.copy(self.t, 1)
        lines += [*more, *left(t), *each("eor", g, t[1:])]
        more, b12 = self.window_of_4(1)
        lines += more
        return [*lines, *(self.h_narrow if self.narrow else self.h_wide)(g, b12)]

    def h_wide(self, g: Registers, b12: Registers) -> list[str]:
        """Return the addition of b95 (s94 b12 + s42) + s8 b12; the carry is b95's."""
        v, u = "r18", "r23"
        lines = [f"mov {u}, {B[11]}", f"lsl {u}"]
        for n in range(self.width):
            lines += [f"ld {v}, -X", f"and {v}, {b12[n]}", f"ld {u}, -X"]
            lines += [f"eor {v}, {u}", f"mov {u}, {B[12 + n]}", f"rol {u}"]
            lines += [f"and {v}, {u}", f"eor {g[n]}, {v}", f"ld {v}, -X"]
            lines += [f"and {v}, {b12[n]}", f"eor {g[n]}, {v}"]
        return lines

    def h_narrow(self, g: Registers, b12: Registers) -> list[str]:
        """Return the same, with b95 in registers, of which two bytes leave enough."""
        v, u = "r0", "r1"
        lines, b95 = self.copy(self.t, 11)
        lines += left(b95)
        for n in range(self.width):
            lines += [f"ld {v}, -X", f"and {v}, {b12[n]}", f"ld {u}, -X"]
            lines += [f"eor {v}, {u}", f"and {v}, {b95[n + 1]}", f"eor {g[n]}, {v}"]
            lines += [f"ld {v}, -X", f"and {v}, {b12[n]}", f"eor {g[n]}, {v}"]
        return lines

    def window_of_4(self, first: int) -> tuple[list[str], Registers]:
        """Return the bits from bit 4 of a byte on."""
        if self.narrow:
            narrow = ["r18", "r23"]
            return self.product_by_16(narrow, first), narrow
        lines, to = self.copy(self.t, first)
        return [*lines, *right_by_4(to)], to

    def product(
        self, g: Registers, one: int, other: int, shift: int = 0, *, by_4: bool = False
    ) -> list[str]:
        """Return the addition of a product; `one` is shifted first."""
        if by_4 and self.narrow:
            t: Registers = self.t[0]
            lines = self.product_by_16(t, one)
        else:
            lines, t = self.copy(self.t, one)
            lines += right_by_4(t) if by_4 else right(t, shift)
        return [*lines, *each("and", t, self.of(other)), *each("eor", g, t)]

    def nfsr_feedback(self) -> list[str]:
        """Return F in G: terms by the bit of a byte that they begin with, 4 to 0."""
        lines, g = self.copy(self.g, 8)
        lines += [*each("and", g, self.of(10)), *right(g)]  # b68 b84
        lines += each("eor", g, self.of(11))  # b91
        lines += [*self.product(g, 0, 8), *self.product(g, 3, 7)]  # b3 b67, b27 b59
        lines += [*self.product(g, 1, 1, shift=2), *right(g)]  # b11 b13
        lines += each("eor", g, self.of(3))  # b26
        more, t = self.copy(self.t, 8)  # b70 b78 b82
        lines += [*more, *each("and", t, self.of(9)), *right_by_4(t)]
        lines += [*each("and", t, self.of(10)), *each("eor", g, t), *right(g)]
        lines += [
            *self.product(g, 2, 2, shift=1),
            *self.product(g, 7, 8, by_4=True),
        ]  # b17, b61
        lines += right(g)
        for first in (0, 7, 12):
            lines += each("eor", g, self.of(first)[: self.width])
        t = self.t[0]  # b40 b48
        lines += [f"movw {t[n]}, {B[6 + n]}" for n in range(0, self.width, 2)]
        lines += [
            *each("and", t[: self.width], self.of(5)),
            *each("eor", g, t[: self.width]),
        ]
        for n in range(self.width):
            lines += [f"ld {t[0]}, -X", f"eor {g[n]}, {t[0]}"]
        lines += self.nfsr_feedback_b22(g)
        more, t = self.copy(self.t, 11)  # b88 b92 b93 b95
        lines += [*more, *left(t), *each("and", t, self.of(11)), *left(t, 2)]
        lines += [
            *each("and", t, self.of(11)),
            *left(t),
            *each("and", t[1:], self.of(11)[: self.width]),
        ]
        return [*lines, *each("eor", g, t[1:])]

    def nfsr_feedback_b22(self, g: Registers) -> list[str]:
        """Return the addition of b22 b24 b25."""
        lines, t = self.copy(self.t, 2)
        lines += left(t, 2)
        if self.narrow:
            more, b25 = self.copy(((), ["r21", "r0", "r1"]), 3)
            lines += [*more, *right(b25), *each("and", b25[:2], self.of(3))]
            return [*lines, *each("and", b25[:2], t[1:]), *each("eor", g, b25[:2])]
        lines += [f"mov r23, {B[3 + self.width]}", "lsr r23"]
        for n in reversed(range(self.width)):
            lines += [f"mov r23, {B[3 + n]}", "ror r23", f"and r23, {B[3 + n]}"]
            lines += [f"and r23, {t[n + 1]}", f"eor {g[n]}, r23"]
        return lines

    def words(self) -> list[str]:
        """Return 32 clocks of the generator at Y, or those of a block of the AEAD.

        T set: 32, the pre-output in r25:r22. Clear: even bits to EVEN, odd ones to ODD.
        """
        few = 4 // self.width  # passes, in 32 clocks
        count = "r31" if self.narrow else "r1"
        many = few * BLOCK // 2
        # If it is to be small, registers of Grain are loaded and stored by one routine.
        load_lfsr = ["adiw r28, 16", "rcall 10f"] if self.narrow else load(LFSR, B)
        store_lfsr = ["rcall 11f", "sbiw r28, 16"] if self.narrow else store(LFSR, B)
        load_nfsr = ["rcall 10f"] if self.narrow else load(NFSR, B)
        store_nfsr = ["rjmp 11f"] if self.narrow else [*store(NFSR, B), "ret"]
        lines = [*load_lfsr, f"ldi r26, {few}", "brts 1f", f"ldi r26, {many}"]
        lines += [
            "/* A pass of the LFSR. Its terms of the pre-output: to the stack. */"
        ]
        lines += ["1:", *self.lfsr_for_pre_output()]
        lines += ["/* L, and the register moves on. */"]
        lines += [*self.lfsr_feedback(), *self.advance()]
        lines += ["dec r26", "breq 2f", "rjmp 1b", "2:", *store_lfsr, *load_nfsr]
        lines += ["in r26, 0x3d", "in r27, 0x3e", f"adiw r26, {few * self.waiting + 1}"]
        lines += [f"ldi r18, {few}", "brts 3f", *forward((many - few) * self.waiting)]
        lines += [f"ldi r18, {many}", "3:", f"mov {count}, r18"]
        lines += ["ldi r22, 16"] if self.narrow else []
        lines += ["/* A pass of the NFSR: the pre-output. */", "4:"]
        lines += [*self.pre_output(), "brts 5f"]
        lines.append("/* Even and odd bits apart, to the state. */")
        pairs = list(
            zip(self.g[0][: self.width : 2], self.g[0][1 : self.width : 2], strict=True)
        )
        for low, high in pairs:
            lines += split(low, high, "r18")
        lines += store(EVEN, [low for low, _ in pairs])
        lines += store(ODD, [high for _, high in pairs])
        lines += [f"adiw r28, {self.width // 2}", "rjmp 6f"]
        lines += ["/* Or the pre-output itself, to the stack. */", "5:"]
        lines += [f"push {name}" for name in self.g[0][: self.width]]
        lines += ["/* F, and the register moves on. */", "6:", *self.nfsr_feedback()]
        lines += [*self.advance(), f"dec {count}", "breq 7f", "rjmp 4b"]
        lines += ["/* What was on the stack is removed. */", "7:"]
        lines += [
            "brts 8f",
            f"sbiw r28, {BLOCK}",
            *forward((many - few) * self.waiting),
        ]
        lines += ["rjmp 9f", "8:", *(f"pop r{n}" for n in (25, 24, 23, 22)), "9:"]
        lines += [f"adiw r26, {few * self.waiting - 1}", *SET_STACK]
        lines += ["clr r1"] if self.narrow else []
        lines += store_nfsr
        if self.narrow:
            lines += ["/* Loads and stores a register. */"]
            lines += ["10:", *load(0, B), "ret", "11:", *store(0, B), "ret"]
        return lines
