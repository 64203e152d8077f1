# SPDX-License-Identifier: Apache-2.0
"""The least cycles that NORX32 takes, counted from its specification.

A published count below them cannot be that of the message it is said to be of,
whoever wrote the program. Everything that can be argued about is left out: calls,
loops, absorbing data, padding, tags, and rotations by whole bytes or words, for which
a program only has to name its registers differently.
"""

from __future__ import annotations

from dataclasses import dataclass

_RATE = 48
"""Bytes that a permutation takes in."""
_FUNCTIONS = 4 * 8
"""Functions G in a permutation: four rounds, each of four columns and four
diagonals, which are done with all 16 words each time."""
_G_BY_HALF_ROUND = 4


@dataclass(frozen=True, slots=True)
class Processor:
    """What the instructions of a processor cost at least, in cycles."""

    word_bytes: int
    """What an instruction works on."""
    state_bytes: int
    """Bytes of the state that all registers together may hold."""
    copy_cycles: int
    """Copying 32 bits between registers."""
    bit_cycles: int
    """Rotating 32 bits in registers by one bit."""
    load_and_store_cycles: int
    """Loading a word of its own and storing it."""

    @property
    def logic_cycles(self) -> int:
        """Cycles of the logic of a function G, all in registers.

        Four times H, which is a copy, AND, a shift by a bit and two XOR; four XOR;
        a rotation by 11 bits, three of them not by bytes, and one by 31.
        """
        each = 4 // self.word_bytes
        mixing = 4 * (self.copy_cycles + 4 * each)
        return mixing + 4 * each + 4 * self.bit_cycles

    @property
    def memory_cycles(self) -> int:
        """Cycles a function G to move what registers cannot hold.

        Each half of a round works on all 64 bytes.
        """
        words = (64 - self.state_bytes) // self.word_bytes
        return words * self.load_and_store_cycles // _G_BY_HALF_ROUND


AVR = Processor(1, 32, 2, 4, 4)
"""32 registers; MOVW copies two in a cycle; LD and ST take two cycles each."""
MSP430 = Processor(2, 24, 2, 2, 6)
"""12 registers; a load takes two cycles or more, a store four."""


def permutations(message_bytes: int, ad_bytes: int) -> int:
    """Return how many permutations NORX does for a message.

    Examples
    --------
    >>> permutations(1224, 40)
    30
    """
    # A string that is not empty has a last block that is not full.
    strings = [size // _RATE + 1 for size in (message_bytes, ad_bytes) if size]
    start, finish = 1, 2
    return start + sum(strings) + finish


def least_cycles(processor: Processor, message_bytes: int, ad_bytes: int) -> int:
    """Return the cycles that NORX32 takes at least for a message."""
    each = processor.logic_cycles + processor.memory_cycles
    return permutations(message_bytes, ad_bytes) * _FUNCTIONS * each


def explanation(processor: Processor, message_bytes: int, ad_bytes: int) -> str:
    """Return how the least count is made up, without a full stop."""
    count = permutations(message_bytes, ad_bytes)
    return (
        f"NORX32 does {count} permutations of {_FUNCTIONS} functions G, each of at"
        f" least {processor.logic_cycles} cycles of logic and"
        f" {processor.memory_cycles} to move what of its 64 bytes no register holds:"
        f" {least_cycles(processor, message_bytes, ad_bytes):,} cycles, without"
        " loops, padding and data"
    )
