# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes aes_decrypt_rv32.c, AES decryption in RISC-V assembly, to standard output.

docs/performance.md has the commands that make the file.
"""

from __future__ import annotations

from aes import (
    BLOCK_BYTES,
    KEYS,
    ROUNDS_AT,
    S,
    T,
    add_columns,
    add_round_key,
    add_round_key_to_one,
    add_to,
    around,
    enter,
    frame_of,
    leave,
    load_blocks,
    mix_columns,
    next_row_but_one,
    rows_in_place,
    sbox,
    store_blocks,
    substitute,
    transpose,
    two_blocks,
)
from riscv import body, header

IDEA = """
/* Decryption of AES, with the round keys and the idea of aes_rv32.c: rows are
 * where encryption left them, so that InvShiftRows is left out, too. InvSubBytes
 * is a circuit for bytes to which 0x63 was added. Every round key but the first
 * one has it; it passes through InvMixColumns unchanged.
 *
 * InvMixColumns is MixColumns behind an addition of 4 (a + a''), a'' being the
 * row after the next.
 *
 * It leaves nothing of its own on the stack or in registers, but what it saves
 * and restores: RA and s0 to s11. */
"""

FIRST = "a7"
"""The place of the first round key, and for one block 1 more."""


def add_four_times(shifted: int) -> list[str]:
    """Return the addition of 4 (a + a''): sums of bit i go to bit i + 2.

    Those of bits 6 and 7, in T[4] and T[5] and both in T[6], go to the bits of the
    polynomial x^4 + x^3 + x + 1, too.
    """
    lines = [f"/* 4 (a + a''); row r is {shifted} r columns away. */"]
    lines += [f"li {T[3]}, {around(2):#010x}"] if shifted % 2 else []
    six, seven, both = T[4:7]
    for total, n in ((six, 6), (seven, 7)):
        lines += [*next_row_but_one(S[n], shifted, T[3])]
        lines += [f"xor {total}, {S[n]}, {T[0]}", *add_to(total, T[1])]
    lines += [f"xor {both}, {six}, {seven}"]
    more = {5: seven, 4: both, 3: six, 2: seven, 1: both, 0: six}
    for n in (7, 6, 5, 4, 3, 2, 1, 0):
        if n > 1:
            lines += next_row_but_one(S[n - 2], shifted, T[3])
            lines += add_to(S[n], S[n - 2], T[0], T[1])
        lines += add_to(S[n], more[n]) if n in more else []
    return lines


def round_with(shifted: int) -> list[str]:
    """Return InvMixColumns with `shifted` times ShiftRows left out, and what follows.

    This is a function, label 9.
    """
    return [*add_four_times(shifted), *mix_columns(shifted), "jal 9f"]


def decrypt() -> list[str]:
    """Return the decryption of two blocks; round keys are read backwards."""
    circuit, room = substitute(sbox.INVERSE_GATES)
    frame = frame_of(room)
    lines = [*enter(frame), f"mv {FIRST}, a0", f"slli {KEYS}, a1, 4"]
    lines += [f"add {KEYS}, {KEYS}, a0", "/* Odd for one block. */"]
    lines += [f"seqz {T[0]}, a4", f"add {FIRST}, {FIRST}, {T[0]}"]
    lines += [*load_blocks(), *add_columns()]
    lines += [*rows_in_place(), "/* Bits of a byte to words. */", *transpose()]
    lines += ["jal 9f", f"lw {T[0]}, {ROUNDS_AT}(sp)", f"andi {T[0]}, {T[0]}, 2"]
    lines += [f"beqz {T[0]}, 3f", "/* A turn of four rounds. */", "2:"]
    lines += [*round_with(1), *round_with(0), "3:", *round_with(3), *round_with(2)]
    lines += ["j 2b", "9:", *circuit, f"addi {KEYS}, {KEYS}, -{BLOCK_BYTES}"]
    lines += [f"bgeu {FIRST}, {KEYS}, 4f", *add_round_key(FIRST), "ret"]
    lines += [*add_round_key_to_one(), "ret", "/* The end. */"]
    lines += ["4:", "/* Words back to bits of a byte. */", *transpose()]
    lines += [*add_columns(), *store_blocks()]
    return [*lines, *leave(frame, room)]


if __name__ == "__main__":
    print(
        header("aes_decrypt", ("block/aes_rounds.h",))
        + IDEA
        + (two_blocks("decrypt") + body(decrypt())),
        end="\n#endif\n",
    )
