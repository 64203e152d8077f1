# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program's module, not a package
"""What the generators of Speck and Simon with 64-bit blocks have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from emit import function, push, register

if TYPE_CHECKING:
    from collections.abc import Sequence

WORD, BLOCK = 4, 8
"""Bytes of a word and of a block."""
WORD_BITS = 8 * WORD
FACTOR = register(28)
"""Holds `LEFT` or `RIGHT`."""
LEFT, RIGHT = 8, 32
"""Factors for rotations by 3 bits."""


def rotated_by_3(to: list[str], word: list[str], factor: int) -> list[str]:
    """Return a word, rotated by 3 bits, in other registers: four products."""
    # A product by 8 is of a byte and the next one, by 32 of the one before and a byte.
    a, b, c, d = word if factor == LEFT else [word[1], word[2], word[3], word[0]]
    lines = [f"mul {a}, {FACTOR}", f"movw {to[0]}, r0"]
    lines += [f"mul {c}, {FACTOR}", f"movw {to[2]}, r0"]
    lines += [f"mul {b}, {FACTOR}", f"eor {to[1]}, r0", f"eor {to[2]}, r1"]
    return [*lines, f"mul {d}, {FACTOR}", f"eor {to[3]}, r0", f"eor {to[0]}, r1"]


def wiped(*pointers: int, clears_r1: bool) -> list[str]:
    """Return the wiping of r0, r18 to r25 and flags, and of r1 after products."""
    pairs = (18, 20, 22, 24, *pointers)
    zero = ["clr r1"] if clears_r1 else []
    return ["sub r0, r0", *zero, *(f"movw r{pair}, r0" for pair in pairs)]


def block_begin(saved: Sequence[int], rounds: int, *, decrypting: bool) -> list[str]:
    """Return the begin of a call with a block: the output's place is on the stack.

    X is then the input, and Z the first round key, or behind the last one.
    """
    lines = [*push(saved), "push r22", "push r23", "movw r26, r20", "movw r30, r24"]
    if decrypting:
        size = WORD * rounds
        lines += [f"subi r30, lo8(-{size})", f"sbci r31, hi8(-{size})"]
    return lines


class Calls(NamedTuple):
    """The public calls of a cipher with a size of key."""

    cipher: str
    key_words: int

    @property
    def _title(self) -> str:
        return f"{self.cipher}64/{WORD_BITS * self.key_words}"

    @property
    def _name(self) -> str:
        return f"samara_{self.cipher.lower()}64_{WORD_BITS * self.key_words}"

    def set_key(self, turn: int, lines: list[str]) -> str:
        """Return the key schedule, which makes so many round keys in a turn."""
        bytes_ = f"const uint8_t bytes[{WORD * self.key_words}]"
        return function(
            f"{self._title}: the round keys, {turn} a turn.",
            f"void {self._name}_set_key({self._name}_key *key, {bytes_})",
            lines,
        )

    def block(self, turn: int, lines: list[str], *, decrypting: bool) -> str:
        """Return the encryption or decryption of a block, so many rounds in a turn."""
        output, source = "ciphertext", "plaintext"
        if decrypting:
            output, source = source, output
        buffers = f"uint8_t {output}[{BLOCK}], const uint8_t {source}[{BLOCK}]"
        verb = "decrypt" if decrypting else "encrypt"
        return function(
            f"A block{' backwards' if decrypting else ''}, {turn} rounds a turn.",
            f"void {self._name}_{verb}(const {self._name}_key *key, {buffers})",
            lines,
        )


def small_or_fast(small: str, fast: str) -> str:
    """Return two versions of a function, of which the compiler takes one."""
    return f"\n#ifdef __OPTIMIZE_SIZE__\n{small}\n#else\n{fast}\n#endif\n"
