# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes aes_decrypt_armv7m.c, AES decryption in Thumb-2 assembly, to standard output.

docs/performance.md has the commands that make the file.
"""

from __future__ import annotations

from aes import (
    DISTANCE,
    KEYS,
    LOW_HALVES,
    OUTPUT,
    ROUNDS,
    TRANSPOSED,
    S,
    add_round_key,
    exchange_rows,
    mix_columns,
    move_blocks,
    sbox,
    substitute,
    transpose,
    two_blocks,
)
from thumb import body, header

IDEA = """
/* Decryption of AES, with the round keys and the idea of aes_armv7m.c: rows are
 * where encryption left them, so that InvShiftRows is left out, too. InvSubBytes
 * is a circuit for bytes to which 0x63 was added. Every round key adds it; it
 * passes through InvMixColumns unchanged, and the first round key, which has it
 * already, takes it away.
 *
 * InvMixColumns is MixColumns behind an addition of 4 (a + a''), a'' being the
 * row after the next.
 *
 * It leaves secrets on the stack and in registers, as the compiler's code does:
 * who calls it wipes both. r4 to r11 are saved and restored. */
"""

RETURN, ROOM = DISTANCE + 4, DISTANCE + 8


def add_next_row_but_one(total: str, n: int, shifted: int) -> list[str]:
    """Return in a register a word and the row after the next; r3 has LOW_HALVES."""
    if shifted % 2 == 0:
        return [f"eor {total}, {S[n]}, {S[n]}, ror #16"]
    return [
        f"and lr, r3, {S[n]}, ror #20",
        f"eor {total}, {S[n]}, lr",
        f"and lr, r3, {S[n]}",
        f"eor {total}, {total}, lr, ror #12",
    ]


def add_four_times(shifted: int) -> list[str]:
    """Return the addition of 4 (a + a''): sums of bit i go to bit i + 2.

    Those of bits 6 and 7, in r0 and r1 and both in r2, go to the bits of the polynomial
    x^4 + x^3 + x + 1, too.
    """
    lines = ["/* 4 (a + a''). */"]
    if shifted % 2:
        lines += [f"mov r3, #{LOW_HALVES:#010x}"]
    lines += add_next_row_but_one("r0", 6, shifted)
    lines += [*add_next_row_but_one("r1", 7, shifted), "eor r2, r0, r1"]
    more = {5: "r1", 4: "r2", 3: "r0", 2: "r1", 1: "r2", 0: "r0"}
    for n in (7, 6, 5, 4, 3, 2, 1, 0):
        if n > 1:
            lines += add_next_row_but_one("r12", n - 2, shifted)
            lines += [f"eor {S[n]}, r12"]
        if n in more:
            lines += [f"eor {S[n]}, {more[n]}"]
    return lines


def round_with(shifted: int) -> list[str]:
    """Return InvMixColumns with `shifted` times ShiftRows left out, and what follows.

    This is a function, label 9: as a part of each round it would take 9 cycles less
    and 1,500 bytes more.
    """
    return [*add_four_times(shifted), *mix_columns(shifted), "bl 9f"]


def decrypt() -> list[str]:
    """Return the decryption of two blocks."""
    circuit, room = substitute(sbox.INVERSE_GATES, ROOM)
    frame = ROOM + room
    lines = ["push {r4-r11, lr}", f"sub sp, #{frame}"]
    # Behind the last round key: they are read backwards.
    lines += ["add r0, r0, r1, lsl #4", "add r0, #16", f"strd r0, r1, [sp, #{KEYS}]"]
    lines += [f"ldr r0, [sp, #{frame + 36}]", f"strd r2, r0, [sp, #{OUTPUT}]"]
    lines += ["add r12, r3, r0", *move_blocks("ldr", "r3")]
    # With 10 and 14 rounds, rows are where two rounds left them.
    lines += ["tst r1, #2", "beq 1f", *exchange_rows()]
    lines += ["1:", "/* Bits of a byte to words. */", *transpose(TRANSPOSED)]
    lines += [*add_round_key("ldmdb"), "bl 9f"]
    lines += [f"ldr r0, [sp, #{ROUNDS}]", "tst r0, #2", "beq 3f"]
    lines += ["/* A turn of four rounds. */", "2:", *round_with(1)]
    lines += [f"ldr r0, [sp, #{ROUNDS}]", "subs r0, #4", f"str r0, [sp, #{ROUNDS}]"]
    lines += ["ble 4f", *round_with(0)]
    lines += ["3:", *round_with(3), *round_with(2), "b 2b"]
    lines += ["/* The end. */", "4:", "/* Words back to bits of a byte. */"]
    lines += [*transpose(TRANSPOSED), f"ldrd r2, r0, [sp, #{OUTPUT}]"]
    lines += ["add r12, r2, r0", *move_blocks("str", "r2")]
    lines += [f"add sp, #{frame}", "pop {r4-r11, pc}"]
    lines += ["/* InvSubBytes and the next round key. */", "9:"]
    lines += [f"str lr, [sp, #{RETURN}]", *circuit, *add_round_key("ldmdb")]
    return [*lines, f"ldr pc, [sp, #{RETURN}]"]


if __name__ == "__main__":
    print(
        header("aes_decrypt", ("block/aes_rounds.h",))
        + IDEA
        + (two_blocks("decrypt") + body(decrypt())),
        end="\n#endif\n",
    )
