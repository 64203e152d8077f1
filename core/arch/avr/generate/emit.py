# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program's module, not a package
"""What the generators of AVR assembly have in common: instructions as lists of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ZERO = "r1"
"""Zero for every function of the compiler."""


def register(number: int) -> str:
    """Return the name of a register."""
    return f"r{number}"


def push(numbers: Sequence[int]) -> list[str]:
    """Return what saves registers."""
    return [f"push r{n}" for n in numbers]


def pop(numbers: Sequence[int]) -> list[str]:
    """Return what restores the registers that `push` saved."""
    return [f"pop r{n}" for n in reversed(numbers)]


def copy(to: Sequence[str], source: Sequence[str]) -> list[str]:
    """Return the copy of a word, in pairs of registers: both begin with an even one."""
    return [f"movw {a}, {b}" for a, b in zip(to[::2], source[::2], strict=True)]


def add_each(to: Sequence[str], source: Sequence[str]) -> list[str]:
    """Return the exclusive or of two words, into the first."""
    return [f"eor {a}, {b}" for a, b in zip(to, source, strict=True)]


def rotate_left(word: Sequence[str]) -> list[str]:
    """Return the rotation of a word, low byte first, by one bit."""
    low, *others = word
    return [f"lsl {low}", *(f"rol {each}" for each in others), f"adc {low}, {ZERO}"]


def rotate_right(word: Sequence[str]) -> list[str]:
    """Return the rotation of a word, low byte first, by one bit."""
    *others, high = word
    lines = [f"bst {word[0]}, 0", f"lsr {high}"]
    return [*lines, *(f"ror {each}" for each in reversed(others)), f"bld {high}, 7"]


def clear(pointers: Sequence[int] = ()) -> list[str]:
    """Return the wiping of the flags, r0, r18 to r25, and of other registers.

    A subtraction of equals sets all flags of arithmetic; rotations use T.
    """
    return [
        *("clt", "sub r0, r0", "clr r18", "clr r19"),
        *(f"movw r{n}, r18" for n in range(20, 26, 2)),
        *(f"clr r{n}" for n in pointers),
    ]


def quoted(line: str) -> str:
    """Return an instruction as a piece of a C string; a comment stays one of C."""
    return line if line.startswith("/*") else f'"{line}\\n"'


def function(comment: str, declaration: str, lines: Sequence[str]) -> str:
    """Return a function in C whose body is assembly alone.

    Parameters
    ----------
    declaration
        Such as `void f(uint8_t *a, int b)`.
    """
    names = [
        each.split()[-1].lstrip("*").partition("[")[0]
        for each in declaration.partition("(")[2].rstrip(")").split(",")
    ]
    unused = "".join(f"  (void){name};\n" for name in names)
    text = "\n".join(map(quoted, lines))
    return (
        f"\n/* {comment} */\n__attribute__((naked)) {declaration} {{\n"
        f"{unused}  __asm__({text} ::);\n}}\n"
    )
