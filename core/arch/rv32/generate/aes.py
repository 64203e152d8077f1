# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes aes_rv32.c, AES in RISC-V assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from riscv import WORD, body, header, load, store

sys.path.append(str(Path(__file__).parents[2] / "generate"))

import sbox

IDEA = """
/* AES on RISC-V of 32 bits, with the instructions of RV32I alone: two blocks at
 * a time, without tables. This file has the round keys and
 * encryption, aes_decrypt_rv32.c decryption.
 *
 * The idea (fixslicing: Adomnicai and Peyrin, TCHES 2021/1): bits are sliced as
 * in aes_bitsliced.c, and ShiftRows is left out. Behind round i the byte in
 * row r and column c is then found in column c + i r, and so are the bytes that
 * MixColumns adds: always one row, and i columns, further. Round keys are stored
 * in the order that their round needs, bits sliced. The first and the last one
 * are stored as they are: they are added to bytes. The inversions in the S-box
 * pass through MixColumns unchanged; the next round key has them.
 *
 * All values of the S-box have a register: 25 are in use. GP and TP, which
 * belong to interrupts and threads, are left alone.
 *
 * They leave nothing of their own on the stack or in registers, but what they
 * save and restore: RA and s0 to s11. */
"""

TWO_BLOCKS = """
/* a0 round keys, a1 rounds, a2 output, a3 input, a4 the distance of the second
 * block from the first, for input and output: 0 for one block. */
__attribute__((naked)) void samara_aes_rv32_VERB_two(
    const uint32_t *round_keys __attribute__((unused)),
    uint32_t rounds __attribute__((unused)),
    uint8_t *output __attribute__((unused)),
    const uint8_t *input __attribute__((unused)),
    size_t distance __attribute__((unused))) {
"""

EXPAND_KEY = """
/* a0 round keys, a1 key, a2 its words: 4, 6 or 8. */
__attribute__((naked)) void
samara_aes_rv32_expand_key(uint32_t *round_keys __attribute__((unused)),
                           const uint8_t *key __attribute__((unused)),
                           unsigned key_words __attribute__((unused))) {
"""

S = ["s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5"]
"""Bits 0 to 7 of all bytes: the registers that short instructions know."""
T = [*(f"t{n}" for n in range(7)), *(f"s{n}" for n in range(2, 12))]
REGISTERS = [*S, *T]
KEYS, LAST = "a6", "a7"
"""The next round key, and the last one."""
SAVED = ["ra", *(f"s{n}" for n in range(12))]
CLEARED = [*(f"t{n}" for n in range(7)), *(f"a{n}" for n in range(8))]

BLOCK_BYTES = 16
BLOCKS_AT = 0
"""In the stack frame: two blocks, for addresses that are not those of words."""
ROUNDS_AT = 2 * BLOCK_BYTES
OUTPUT_AT, DISTANCE_AT, BYTES_AT = range(ROUNDS_AT + 4, ROUNDS_AT + 16, 4)
"""What is at BYTES_AT is 0 if blocks are moved by words."""
ROOM_AT = ROUNDS_AT + 16

ROW_BITS, COLUMN_BITS = 8, 2
EVEN = 0x55555555
TRANSPOSED = ((1, (0, 2, 4, 6)), (2, (0, 1, 4, 5)), (4, (0, 1, 2, 3)))
"""Distance of words, which is that of bits, too; the first of each pair."""


def two_blocks(verb: str) -> str:
    """Return the head of the function that encrypts or decrypts two blocks."""
    return TWO_BLOCKS.replace("VERB", verb)


def add_columns() -> list[str]:
    """Return AddRoundKey for the first or the last key: a word of it is a column."""
    lines = ["/* AddRoundKey of bytes. */", *load(T[:4], KEYS)]
    return [*lines, *(f"xor {bit}, {bit}, {T[n // 2]}" for n, bit in enumerate(S))]


def add_round_key(end: str) -> list[str]:
    """Return AddRoundKey, which goes on at the label 7 if there is one block.

    A word of the key has bit 2 i for one block in its even bits, bit 2 i + 1 in its
    odd ones. `end` is odd if there is one block.
    """
    words, even, both = T[:4], T[4], T[5]
    lines = ["/* AddRoundKey. */", *load(words, KEYS), f"andi {even}, {end}, 1"]
    lines += [f"bnez {even}, 7f", f"li {even}, {EVEN:#010x}"]
    for n, word in enumerate(words):
        low, high = S[2 * n], S[2 * n + 1]
        lines += [
            f"and {both}, {word}, {even}",
            f"xor {word}, {word}, {both}",
            f"xor {low}, {low}, {both}",
            f"slli {both}, {both}, 1",
            f"xor {low}, {low}, {both}",
            f"xor {high}, {high}, {word}",
            f"srli {word}, {word}, 1",
            f"xor {high}, {high}, {word}",
        ]
    return lines


def add_round_key_to_one() -> list[str]:
    """Return what AddRoundKey goes on with for one block, at the label 7.

    The first block has the even bits. In the odd ones, which nobody reads, the key's
    bits are wrong.
    """
    lines = ["/* AddRoundKey to one block. */", "7:"]
    for n, word in enumerate(T[:4]):
        low, high = S[2 * n], S[2 * n + 1]
        lines += [*add_to(low, word), f"srli {word}, {word}, 1", *add_to(high, word)]
    return lines


def substitute(gates: str = sbox.GATES, room: int = ROOM_AT) -> tuple[list[str], int]:
    """Return SubBytes, which uses memory at SP + `room`, and how many bytes."""
    program = sbox.program(sbox.once(gates), len(REGISTERS))
    names = {"eor": "xor", "and": "and", "ldr": "lw", "str": "sw"}
    lines = ["/* SubBytes of all bytes: a circuit of gates. */"]
    for operation, stays in program.steps:
        registers = [REGISTERS[stay.register] for stay in stays]
        if operation in ("ldr", "str"):
            place = room + 4 * program.slots[stays[0].value]
            lines += [f"{names[operation]} {registers[0]}, {place}(sp)"]
        else:
            one, other, to = registers
            lines += [f"{names[operation]} {to}, {one}, {other}"]
    return lines, 4 * len(program.slots)


def turn_rows(to: str, bits: str, columns: int, mask: str) -> list[str]:
    """Return each row moved by `columns` columns, in two registers to be added.

    The mask has the bits that go around. `to` is the first; the second is T[1].
    """
    count = COLUMN_BITS * columns
    return [
        f"and {T[1]}, {bits}, {mask}",
        f"xor {to}, {bits}, {T[1]}",
        f"srli {to}, {to}, {count}",
        f"slli {T[1]}, {T[1]}, {ROW_BITS - count}",
    ]


def next_row(to: str, n: int, shifted: int, mask: str) -> list[str]:
    """Return what is a row and `shifted` columns further."""
    bits, lines = S[n], []
    if shifted:
        lines = [*turn_rows(to, bits, shifted, mask), f"or {to}, {to}, {T[1]}"]
        bits = to
    return [
        *lines,
        f"slli {T[1]}, {bits}, {WORD - ROW_BITS}",
        f"srli {to}, {bits}, {ROW_BITS}",
        f"or {to}, {to}, {T[1]}",
    ]


def next_row_but_one(bits: str, shifted: int, mask: str) -> list[str]:
    """Return two rows and twice the columns further: T[0] and T[1], to be added."""
    lines = []
    if shifted % 2:
        lines = [*turn_rows(T[0], bits, 2, mask), f"or {T[0]}, {T[0]}, {T[1]}"]
        bits = T[0]
    half = WORD // 2
    return [*lines, f"slli {T[1]}, {bits}, {half}", f"srli {T[0]}, {bits}, {half}"]


def add_to(to: str, *registers: str) -> list[str]:
    """Return the addition of registers to one."""
    return [f"xor {to}, {to}, {register}" for register in registers]


def around(shifted: int) -> int:
    """Return the mask of the bits that leave a row on one side."""
    return 0x01010101 * ((1 << COLUMN_BITS * shifted) - 1)


def masks(shifted: int) -> list[str]:
    """Return the loads of the masks for one and for two rows, T[2] and T[3]."""
    lines = [f"li {T[2]}, {around(shifted):#010x}"] if shifted else []
    return [*lines, *([f"li {T[3]}, {around(2):#010x}"] if shifted % 2 else [])]


def mix_columns(shifted: int) -> list[str]:
    """Return MixColumns with `shifted` times ShiftRows left out.

    With a' the next row, 2 a + 3 a' + a'' + a''' = 2 (a + a') + a' + (a + a')''.
    """
    lines = [f"/* MixColumns; row r is {shifted} r columns away. */", *masks(shifted)]
    top, total = T[4], T[5]
    for n in reversed(range(8)):
        bit, to = S[n], top if n == 7 else total  # noqa: PLR2004 - the highest bit
        lines += [*next_row(T[6], n, shifted, T[2]), f"xor {to}, {bit}, {T[6]}"]
        lines += next_row_but_one(to, shifted, T[3])
        lines += [f"xor {bit}, {T[6]}, {T[0]}", *add_to(bit, T[1])]
        lines += add_to(S[n + 1], to) if to == total else []
        lines += add_to(bit, top) if n in (0, 1, 3, 4) else []
    return lines


def exchange(a: str, b: str, shift: int, mask: str) -> list[str]:
    """Return the exchange of bits of `b` with those of `a` that are `shift` above.

    The mask has those of `b`. In T[0] is their difference.
    """
    return [
        f"srli {T[0]}, {a}, {shift}",
        *add_to(T[0], b),
        f"and {T[0]}, {T[0]}, {mask}",
        *add_to(b, T[0]),
        f"slli {T[0]}, {T[0]}, {shift}",
        *add_to(a, T[0]),
    ]


def exchange_bits(a: str, b: str, mask: str) -> list[str]:
    """Return the exchange of the bits of a mask between two words."""
    lines = [f"xor {T[0]}, {a}, {b}", f"and {T[0]}, {T[0]}, {mask}"]
    return [*lines, *add_to(a, T[0]), *add_to(b, T[0])]


def transpose() -> list[str]:
    """Return the exchange of bytes of words and bits of bytes."""
    lines = []
    for distance, pairs in TRANSPOSED:
        mask = sum(1 << bit for bit in range(WORD) if not bit & distance)
        lines.append(f"li {T[1]}, {mask:#010x}")
        for n in pairs:
            lines += exchange(S[n], S[n + distance], distance, T[1])
    return lines


def exchange_rows() -> list[str]:
    """Return what moves rows 1 and 3 by two columns.

    They are there behind an odd multiple of two rounds.
    """
    lines = ["/* Rows 1 and 3 to their columns. */", f"li {T[1]}, 0xff00ff00"]
    for n in range(4):
        lines += exchange_bits(S[n], S[n + 4], T[1])
    return lines


def move(operation: str, first: str, second: str) -> list[str]:
    """Return the loads or stores of two blocks, the registers of places last."""
    return [
        f"{operation} {S[2 * column + lane]}, {4 * column}({place})"
        for column in range(4)
        for lane, place in enumerate((first, second))
    ]


def copy_blocks(source: str, source_step: str, to: str, to_step: str) -> list[str]:
    """Return the copy of two blocks by bytes, to or from any address.

    Blocks are `step` bytes apart, in registers.
    """
    lines = [f"li {T[2]}, 2", "5:", f"addi {T[3]}, {source}, {BLOCK_BYTES}"]
    lines += ["6:"]
    bytes_ = T[4:8]
    lines += [f"lbu {name}, {n}({source})" for n, name in enumerate(bytes_)]
    lines += [f"sb {name}, {n}({to})" for n, name in enumerate(bytes_)]
    lines += [f"addi {source}, {source}, 4", f"addi {to}, {to}, 4"]
    lines += [f"bne {source}, {T[3]}, 6b"]
    lines += [f"addi {T[2]}, {T[2]}, -1"]
    lines += [f"add {source}, {source}, {source_step}", f"add {to}, {to}, {to_step}"]
    return [*lines, f"bnez {T[2]}, 5b"]


def frame_of(room: int) -> int:
    """Return the bytes of a stack frame with `room` bytes for the S-box."""
    return -(-(ROOM_AT + room + 4 * len(SAVED)) // 16) * 16


def enter(frame: int) -> list[str]:
    """Return what saves the registers of the caller."""
    place = frame - 4 * len(SAVED)
    return [f"addi sp, sp, -{frame}", *store(SAVED, "sp", place)]


def leave(frame: int, room: int = 0) -> list[str]:
    """Return the return, behind what restores the registers of the caller.

    The others are cleared, and the S-box's bytes of the stack.
    """
    place = frame - 4 * len(SAVED)
    lines = [f"sw zero, {ROOM_AT + n}(sp)" for n in range(0, room, 4)]
    lines += [*load(SAVED, "sp", place), *(f"li {name}, 0" for name in CLEARED)]
    return [*lines, f"addi sp, sp, {frame}", "ret"]


def load_blocks() -> list[str]:
    """Return the loads of two blocks at a3 and a3 + a4, by words where they can be.

    One block is loaded twice.
    """
    return [
        f"or {T[0]}, a2, a3",
        f"andi {T[0]}, {T[0]}, 3",
        f"sw a1, {ROUNDS_AT}(sp)",
        f"sw a2, {OUTPUT_AT}(sp)",
        f"sw a4, {DISTANCE_AT}(sp)",
        f"sw {T[0]}, {BYTES_AT}(sp)",
        f"add {T[1]}, a3, a4",
        f"beqz {T[0]}, 1f",
        "/* Input or output at an address that is not that of a word. */",
        f"addi {T[1]}, a4, -{BLOCK_BYTES}",
        f"mv {T[0]}, sp",
        *copy_blocks("a3", T[1], T[0], "zero"),
        "mv a3, sp",
        f"addi {T[1]}, sp, {BLOCK_BYTES}",
        "1:",
        f"mv {T[0]}, a3",
        *move("lw", T[0], T[1]),
    ]


def store_blocks() -> list[str]:
    """Return the stores of two blocks, by words where they can be."""
    to, step, second, bytes_ = T[0], T[1], T[8], T[9]
    return [
        f"lw {bytes_}, {BYTES_AT}(sp)",
        f"lw {to}, {OUTPUT_AT}(sp)",
        f"lw {step}, {DISTANCE_AT}(sp)",
        f"bnez {step}, 1f",
        "/* One block: what is in the way stays in registers. */",
        *(f"mv {S[n + 1]}, {S[n]}" for n in range(0, 8, 2)),
        "1:",
        f"bnez {bytes_}, 1f",
        f"add {second}, {to}, {step}",
        *move("sw", to, second),
        "j 2f",
        "/* By bytes, and nothing is left of them. */",
        "1:",
        f"addi {second}, sp, {BLOCK_BYTES}",
        *move("sw", "sp", second),
        f"mv {second}, sp",
        f"addi {step}, {step}, -{BLOCK_BYTES}",
        *copy_blocks(second, "zero", to, step),
        *store(["zero"] * (2 * BLOCK_BYTES // 4), "sp", BLOCKS_AT),
        "2:",
    ]


def rows_in_place() -> list[str]:
    """Return what undoes the ShiftRows that were left out; it needs the label 1.

    10 and 14 rounds end behind the second of a turn of four, 12 not.
    """
    lines = [f"lw {T[0]}, {ROUNDS_AT}(sp)", f"andi {T[0]}, {T[0]}, 2"]
    return [*lines, f"beqz {T[0]}, 1f", *exchange_rows(), "1:"]


def encrypt() -> list[str]:
    """Return the encryption of two blocks."""
    circuit, room = substitute()
    frame = frame_of(room)
    lines = [*enter(frame), f"mv {KEYS}, a0", f"slli {LAST}, a1, 4"]
    lines += [f"add {LAST}, {LAST}, a0", "/* Odd, and less, for one block. */"]
    lines += [f"seqz {T[0]}, a4", f"sub {LAST}, {LAST}, {T[0]}"]
    lines += [*load_blocks(), *add_columns()]
    lines += [f"addi {KEYS}, {KEYS}, {BLOCK_BYTES}"]
    lines += ["/* Bits of a byte to words. */", *transpose(), "jal 8f"]
    lines += ["/* A turn of four rounds. */", "3:", *mix_columns(1), "jal 9f"]
    lines += [f"bgeu {KEYS}, {LAST}, 4f", *mix_columns(2), "jal 9f"]
    lines += [*mix_columns(3), "jal 9f", f"bgeu {KEYS}, {LAST}, 4f"]
    lines += [*mix_columns(0), "jal 9f", "j 3b"]
    next_key = f"addi {KEYS}, {KEYS}, {BLOCK_BYTES}"
    lines += ["9:", *add_round_key(LAST), next_key, "8:", *circuit, "ret"]
    lines += [*add_round_key_to_one(), next_key, "j 8b", "/* The end. */"]
    lines += ["4:", "/* Words back to bits of a byte. */", *transpose()]
    lines += [*rows_in_place(), *add_columns(), *store_blocks()]
    return [*lines, *leave(frame)]


KEY_BYTES_AT, GROUP_AT, CONSTANT_AT, TURNS_AT, BEGIN_AT, ROUNDS_END_AT = range(0, 24, 4)
"""In the stack frame of the key expansion."""
KEY_FRAME = -(-(24 + 4 * len(SAVED)) // 16) * 16
WORD_AT, END = KEYS, LAST
"""The next word, and the place behind all."""


def sub_word() -> list[str]:
    """Return SubWord of T[0] to T[0]: bit i of bytes is the lowest of each in word i.

    What is in the other bits of that word is left out at the end.
    """
    circuit, _ = substitute()
    lines = ["/* SubWord: bit i of bytes to word i. */", f"mv {S[0]}, {T[0]}"]
    lines += [f"srli {S[n]}, {T[0]}, {n}" for n in range(1, 8)]
    lines += [*circuit, "/* Bit i back to its place. */", f"li {T[1]}, 0x01010101"]
    lines += [f"and {T[0]}, {S[0]}, {T[1]}"]
    for n in range(1, 8):
        lines += [f"and {S[n]}, {S[n]}, {T[1]}", f"slli {S[n]}, {S[n]}, {n}"]
        lines += [f"or {T[0]}, {T[0]}, {S[n]}"]
    return [*lines, f"li {T[1]}, {AFFINE:#010x}", f"xor {T[0]}, {T[0]}, {T[1]}"]


AFFINE = 0x63636363


def schedule() -> list[str]:
    """Return the key expansion (FIPS 197, 5.2), words as they are.

    The words between two SubWord are a group: four, or six of a key of six words.
    With eight, each second group has neither rotation nor constant.
    """
    new, step, left, turns = T[0], T[1], T[2], T[3]
    lines = ["/* A group of words, up to the next SubWord. */", "2:"]
    lines += [f"lw {new}, -4({WORD_AT})", f"lw {turns}, {TURNS_AT}(sp)"]
    lines += [f"bnez {turns}, 3f", "/* RotWord. */", f"slli {T[1]}, {new}, 24"]
    lines += [f"srli {new}, {new}, 8", f"or {new}, {new}, {T[1]}", "3:"]
    lines += [*sub_word(), f"lw {step}, {KEY_BYTES_AT}(sp)"]
    lines += [f"lw {turns}, {TURNS_AT}(sp)", f"lw {left}, {GROUP_AT}(sp)"]
    lines += [f"bnez {turns}, 4f", "/* The constant, times x for the next. */"]
    lines += [f"lw {T[4]}, {CONSTANT_AT}(sp)", f"xor {new}, {new}, {T[4]}"]
    lines += [f"slli {T[4]}, {T[4]}, 1", f"andi {T[5]}, {T[4]}, 0x100"]
    lines += [f"beqz {T[5]}, 3f", f"xori {T[4]}, {T[4]}, 0x11b", "3:"]
    lines += [f"sw {T[4]}, {CONSTANT_AT}(sp)", "4:"]
    lines += ["/* Of keys of eight words, the other kind of group is next. */"]
    lines += [f"andi {T[5]}, {step}, 32", f"xor {turns}, {turns}, {T[5]}"]
    lines += [f"sw {turns}, {TURNS_AT}(sp)", f"sub {step}, {WORD_AT}, {step}"]
    lines += ["3:", f"lw {T[4]}, 0({step})", f"xor {new}, {new}, {T[4]}"]
    lines += [f"sw {new}, 0({WORD_AT})", f"addi {step}, {step}, 4"]
    lines += [f"addi {WORD_AT}, {WORD_AT}, 4", f"beq {WORD_AT}, {END}, 5f"]
    return [*lines, f"addi {left}, {left}, -4", f"bnez {left}, 3b", "j 2b", "5:"]


def turn_columns(c: list[str], step: int, odd_rows: str) -> list[str]:
    """Return rows 1 and 3 turned by one column."""
    moved = T[:4]
    lines = []
    for n in range(4):
        lines += [f"xor {moved[n]}, {c[n]}, {c[(n + step) % 4]}"]
        lines += [f"and {moved[n]}, {moved[n]}, {odd_rows}"]
    return [*lines, *(line for n in range(4) for line in add_to(c[n], moved[n]))]


def order() -> list[str]:
    """Return the round keys but the first and the last one in the order they need.

    Behind round i row r is i r columns away: rows 2 and 3 by two columns if i is odd,
    then rows 1 and 3 by i columns.
    """
    place, last, turn = KEYS, LAST, "a5"
    c = S[:4]
    affine, odd_rows, low_rows, twos, fours = T[4:9]
    lines = [f"li {affine}, {AFFINE:#010x}", f"li {odd_rows}, 0xff00ff00"]
    lines += [f"li {low_rows}, 0xffff0000", f"li {twos}, 0x33333333"]
    lines += [f"li {fours}, 0x0f0f0f0f", f"lw {place}, {BEGIN_AT}(sp)"]
    lines += [f"addi {place}, {place}, {BLOCK_BYTES}", f"li {turn}, 1"]
    lines += [f"addi {last}, {last}, -{BLOCK_BYTES}", "2:", *load(c, place)]
    lines += [line for word in c for line in add_to(word, affine)]
    lines += [f"beq {place}, {last}, 6f", f"andi {T[0]}, {turn}, 1"]
    lines += [f"andi {T[1]}, {turn}, 2", f"beqz {T[0]}, 4f"]
    lines += ["/* Rows 2 and 3. */", *exchange_bits(c[0], c[2], low_rows)]
    lines += [*exchange_bits(c[1], c[3], low_rows), f"bnez {T[1]}, 3f"]
    lines += ["/* Rows 1 and 3 by one column. */", *turn_columns(c, 3, odd_rows)]
    lines += ["j 5f", "/* By three. */", "3:", *turn_columns(c, 1, odd_rows), "j 5f"]
    lines += ["/* By two, or not. */", "4:", f"beqz {T[1]}, 5f"]
    lines += exchange_bits(c[0], c[2], odd_rows)
    lines += [*exchange_bits(c[1], c[3], odd_rows), "5:"]
    lines += ["/* Bits sliced, two of each byte in a word. */"]
    lines += [*exchange(c[0], c[1], 2, twos), *exchange(c[2], c[3], 2, twos)]
    lines += exchange(c[0], c[2], 4, fours)
    lines += [*exchange(c[1], c[3], 4, fours), *store(c, place)]
    lines += [f"addi {place}, {place}, {BLOCK_BYTES}", f"addi {turn}, {turn}, 1"]
    return [*lines, "j 2b", "6:", *store(c, place)]


def expand_key() -> list[str]:
    """Return the key expansion for keys of any size."""
    place, size, source = WORD_AT, T[0], "a1"
    lines = [*enter(KEY_FRAME), f"mv {place}, a0", f"sw a0, {BEGIN_AT}(sp)"]
    lines += [f"slli {size}, a2, 2", f"sw {size}, {KEY_BYTES_AT}(sp)"]
    lines += ["/* The key's words, and 28 more groups of four bytes. */"]
    lines += [f"addi {END}, a2, 7", f"slli {END}, {END}, 4", f"add {END}, {END}, a0"]
    lines += [
        f"li {T[1]}, 1",
        f"sw {T[1]}, {CONSTANT_AT}(sp)",
        f"sw zero, {TURNS_AT}(sp)",
    ]
    lines += [f"andi {T[1]}, {size}, 24", f"li {T[2]}, 24", f"beq {T[1]}, {T[2]}, 1f"]
    lines += [f"li {T[1]}, 16", "1:", f"sw {T[1]}, {GROUP_AT}(sp)"]
    lines += [
        "/* The key itself, from any address. */",
        f"add {size}, {size}, {source}",
    ]
    lines += ["2:", *(f"lbu {T[1 + n]}, {n}({source})" for n in range(4))]
    lines += [*(f"sb {T[1 + n]}, {n}({place})" for n in range(4))]
    lines += [f"addi {source}, {source}, 4", f"addi {place}, {place}, 4"]
    lines += [f"bne {source}, {size}, 2b", *schedule()]
    return [
        *lines,
        "/* Round keys as rounds need them. */",
        *order(),
        *leave(KEY_FRAME),
    ]


if __name__ == "__main__":
    functions = (
        EXPAND_KEY + body(expand_key()),
        two_blocks("encrypt") + body(encrypt()),
    )
    print(
        header("aes", ("block/aes_rounds.h",)) + IDEA + "".join(functions),
        end="\n#endif\n",
    )
