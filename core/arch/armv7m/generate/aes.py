# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes aes_armv7m.c, AES in Thumb-2 assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from thumb import body, exchange, header

sys.path.append(str(Path(__file__).parents[2] / "generate"))

import sbox

IDEA = """
/* AES on processors with Thumb-2: two blocks at a time, without tables. This
 * file has encryption and SubWord, aes_decrypt_armv7m.c decryption.
 *
 * The idea (fixslicing: Adomnicai and Peyrin, TCHES 2021/1): bits are sliced as
 * in aes_bitsliced.c, and ShiftRows is left out. Behind round i the byte in
 * row r and column c is then found in column c + i r, and so are the bytes that
 * MixColumns adds: always one row, and i columns, further. This takes a mask
 * and two rotations, or one rotation if i is a multiple of four. Round keys are
 * stored in the order that their round needs. The inversions in the S-box pass
 * through MixColumns unchanged; the next round key makes up for them.
 *
 * They leave secrets on the stack and in registers, as the compiler's code
 * does: who calls them wipes both. r4 to r11 are saved and restored. */
"""

TWO_BLOCKS = """
/* r0 round keys, r1 rounds, r2 output, r3 input, at SP the distance of the
 * second block from the first, for input and output. */
__attribute__((naked)) void
samara_aes_armv7m_VERB_two(const uint32_t *round_keys, uint32_t rounds,
                              uint8_t *output, const uint8_t *input,
                              size_t distance) {
  (void)round_keys;
  (void)rounds;
  (void)output;
  (void)input;
  (void)distance;
"""

SUB_WORD = """
/* The S-box on the four bytes of r0. */
__attribute__((naked)) uint32_t samara_aes_armv7m_sub_word(uint32_t bytes) {
  (void)bytes;
"""

S = [f"r{4 + n}" for n in range(8)]
REGISTERS = [*S, "r0", "r1", "r2", "r3", "r12", "lr"]
KEYS, ROUNDS, OUTPUT, DISTANCE, ROOM = 0, 4, 8, 12, 16

ROW_BITS, COLUMN_BITS, WORD = 8, 2, 32
EVEN = 0x55555555
LOW_HALVES = 0x0F0F0F0F
TRANSPOSED = ((1, (0, 2, 4, 6)), (2, (0, 1, 4, 5)), (4, (0, 1, 2, 3)))
"""Distance of words, which is that of bits, too; the first of each pair."""


def two_blocks(verb: str) -> str:
    """Return the head of the function that encrypts or decrypts two blocks."""
    return TWO_BLOCKS.replace("VERB", verb)


def add_round_key(load: str = "ldm") -> list[str]:
    """Return AddRoundKey.

    A word of the key has bit 2 i for one block in its even bits, bit 2 i + 1 in its
    odd ones.
    """
    lines = ["/* AddRoundKey. */"]
    lines += [f"ldr r12, [sp, #{KEYS}]", f"{load} r12!, {{r0-r3}}"]
    lines += [f"str r12, [sp, #{KEYS}]"]
    for n, register in enumerate(S):
        mask, other = (EVEN << 1, "lsr #1") if n % 2 else (EVEN, "lsl #1")
        operation = "and"
        if n in sbox.INVERTED:
            # Ones in the other lane: both lanes are added inverted.
            operation, other = "orn", "ror #1" if n % 2 else "ror #31"
        lines += [f"{operation} lr, r{n // 2}, #{mask:#010x}"]
        lines += [f"eor {register}, lr", f"eor {register}, {register}, lr, {other}"]
    return lines


def substitute(gates: str = sbox.GATES, room: int = ROOM) -> tuple[list[str], int]:
    """Return SubBytes, which uses memory at SP + `room`, and how many bytes."""
    program = sbox.program(gates, len(REGISTERS))
    lines = ["/* SubBytes of all bytes: a circuit of gates. */"]
    for operation, stays in program.steps:
        registers = [REGISTERS[stay.register] for stay in stays]
        if operation in ("ldr", "str"):
            place = room + 4 * program.slots[stays[0].value]
            lines += [f"{operation} {registers[0]}, [sp, #{place}]"]
        else:
            one, other, to = registers
            lines += [f"{operation} {to}, {one}, {other}"]
    return lines, 4 * len(program.slots)


def next_row(n: int, shifted: int) -> list[str]:
    """Return in r12 what is a row and `shifted` columns further; the mask is in r2."""
    inside, around = ROW_BITS + COLUMN_BITS * shifted, COLUMN_BITS * shifted
    return [
        f"and r12, r2, {S[n]}, ror #{inside}",
        f"bic lr, {S[n]}, r2, ror #{WORD - around}",
        f"eor r12, r12, lr, ror #{around}",
    ]


def mix_aligned_columns() -> list[str]:
    """Return MixColumns where the columns are in their places."""
    note = "/* MixColumns with columns in their places. */"
    sums = ["r1" if n % 2 else "r2" for n in range(7)] + ["r0"]
    lines = [note, f"eor r0, {S[7]}, {S[7]}, ror #{ROW_BITS}"]
    for n in reversed(range(8)):
        bit = S[n]
        below = "r0" if n == 0 else sums[n - 1]
        if n:
            lines += [f"eor {below}, {S[n - 1]}, {S[n - 1]}, ror #{ROW_BITS}"]
        lines += [f"eor {bit}, {below}, {bit}, ror #{ROW_BITS}"]
        lines += [f"eor {bit}, {bit}, {sums[n]}, ror #{2 * ROW_BITS}"]
        lines += [f"eor {bit}, r0"] if n in (1, 3, 4) else []
    return lines


def mix_columns(shifted: int) -> list[str]:
    """Return MixColumns with `shifted` times ShiftRows left out.

    With a' the next row, 2 a + 3 a' + a'' + a''' = 2 (a + a') + a' + (a + a')''.
    """
    if shifted == 0:
        return mix_aligned_columns()
    columns = (1 << (ROW_BITS - COLUMN_BITS * shifted)) - 1
    lines = [f"/* MixColumns; row r is {shifted} r columns away. */"]
    lines += [f"mov r2, #{columns * 0x01010101:#010x}"]
    if shifted % 2:
        lines += [f"mov r3, #{LOW_HALVES:#010x}"]
    for n in reversed(range(8)):
        bit = S[n]
        total = "r0" if n == 7 else "r1"  # noqa: PLR2004 - the highest bit
        lines += [*next_row(n, shifted), f"eor {total}, {bit}, r12"]
        if shifted % 2:
            lines += [f"and lr, r3, {total}, ror #20", f"eor {bit}, r12, lr"]
            lines += [f"and lr, r3, {total}", f"eor {bit}, {bit}, lr, ror #12"]
        else:
            lines += [f"eor {bit}, r12, {total}, ror #16"]
        if n < 7:  # noqa: PLR2004
            lines += [f"eor {S[n + 1]}, {total}"]
        if n in (0, 1, 3, 4):
            lines += [f"eor {bit}, r0"]
    return lines


def transpose(order: tuple[tuple[int, tuple[int, ...]], ...]) -> list[str]:
    """Return the exchange of bytes of words and bits of bytes."""
    return [
        line
        for distance, pairs in order
        for n in pairs
        for line in exchange(S[n], S[n + distance], "r0", distance)
    ]


def move_blocks(operation: str, first: str) -> list[str]:
    """Return the loads or stores of a block at `first` and one at r12."""
    return [
        f"{operation} {S[2 * column + lane]}, [{place}, #{4 * column}]"
        for column in range(4)
        for lane, place in enumerate((first, "r12"))
    ]


def exchange_rows() -> list[str]:
    """Return what moves rows 1 and 3 by two columns.

    They are there behind an odd multiple of two rounds.
    """
    lines = ["/* Rows 1 and 3 to their columns. */"]
    for n in range(4):
        lines += [f"eor r0, {S[n]}, {S[n + 4]}", "and r0, #0xff00ff00"]
        lines += [f"eor {S[n]}, r0", f"eor {S[n + 4]}, r0"]
    return lines


def encrypt() -> list[str]:
    """Return the encryption of two blocks.

    SubBytes stands there four times: as a function, it would take 9 cycles more for
    each round.
    """
    circuit, room = substitute()
    substitution = [*add_round_key(), *circuit]
    frame = ROOM + room
    lines = ["push {r4-r11, lr}", f"sub sp, #{frame}"]
    lines += [f"strd r0, r1, [sp, #{KEYS}]", f"ldr r0, [sp, #{frame + 36}]"]
    lines += [f"strd r2, r0, [sp, #{OUTPUT}]", "add r12, r3, r0"]
    lines += move_blocks("ldr", "r3")
    lines += ["/* Bits of a byte to words. */", *transpose(TRANSPOSED)]
    lines += ["/* A turn of four rounds. */", "1:"]
    # 10 and 14 rounds end behind the second of a turn, 12 behind the fourth.
    lines += [*substitution, *mix_columns(1), *substitution]
    lines += [f"ldr r0, [sp, #{ROUNDS}]", "subs r0, #4", f"str r0, [sp, #{ROUNDS}]"]
    lines += ["bmi 2f", *mix_columns(2), *substitution]
    lines += [*mix_columns(3), *substitution]
    lines += [f"ldr r0, [sp, #{ROUNDS}]", "cmp r0, #0", "beq 2f"]
    lines += [*mix_columns(0), "b 1b", "/* The end. */", "2:", *add_round_key()]
    lines += ["/* Words back to bits of a byte. */", *transpose(TRANSPOSED)]
    lines += [f"ldr r0, [sp, #{ROUNDS}]", "cmp r0, #0", "beq 3f"]
    lines += [*exchange_rows(), "3:"]
    lines += [f"ldrd r2, r0, [sp, #{OUTPUT}]", "add r12, r2, r0"]
    lines += move_blocks("str", "r2")
    return [*lines, f"add sp, #{frame}", "pop {r4-r11, pc}"]


def sub_word() -> list[str]:
    """Return SubWord: bit i of the bytes is the lowest of each byte of a word.

    What is in the other bits of that word is left out at the end.
    """
    circuit, room = substitute(room=0)
    lines = ["push {r4-r11, lr}", f"sub sp, #{room}", f"mov {S[0]}, r0"]
    lines += [f"lsr {S[n]}, r0, #{n}" for n in range(1, 8)]
    lines += [*circuit, "/* Bit i back to its place. */", "mov r1, #0x01010101"]
    lines += [f"and r0, r1, {S[0]}"]
    for n in range(1, 8):
        lines += [f"and {S[n]}, r1", f"orr r0, r0, {S[n]}, lsl #{n}"]
    lines += ["eor r0, #0x63636363"]
    return [*lines, f"add sp, #{room}", "pop {r4-r11, pc}"]


if __name__ == "__main__":
    functions = (two_blocks("encrypt") + body(encrypt()), SUB_WORD + body(sub_word()))
    print(
        header("aes", ("block/aes_rounds.h",)) + IDEA + "".join(functions),
        end="\n#endif\n",
    )
