# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes ascon_rv32.c, Ascon in RISC-V assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

from riscv import WORD, body, header, load, store

IDEA = """
/* Ascon-AEAD128 on RISC-V of 32 bits (SP 800-232), with the instructions of RV32I
 * alone.
 *
 * The idea: each word of 64 bits is two registers, its low and its high half, as
 * in memory; RV32I has no rotation, so nothing is won by another form. The
 * S-boxes of a half are 16 instructions and end where they began. They have one
 * inversion, because x1 and x3 are complements all the time: the linear layer
 * adds three of a kind, and leaves a complement one. The ten registers have the
 * state during a whole message, which is one function: no word of it is in memory
 * but for a last block that is not whole.
 *
 * Bytes come and go four at a time where they are aligned to words, one at a time
 * elsewhere.
 *
 * It leaves secrets in registers, as the compiler's code does, which its caller
 * wipes, and none on the stack. s0 to s7 and ra are saved and restored. */
"""

MESSAGE = """
/* a0 key, a1 nonce, a2 associated data, a3 their size, a4 input, a5 output, a6
 * their size, a7 tag, on the stack ones when opening and zeros when not.
 *
 * Low halves of the state in a0 to a4, high halves in a5 to a7, t0, t1. t2 to t5
 * are temporary; t6 is the constant of a round, s0 the one behind the last. s1
 * input, s2 output or 0, s3 bytes left, s4 ones when opening, s5 its complement,
 * s6 a byte, s7 where a string returns to. */
__attribute__((naked)) void samara_ascon_rv32_message(
    const uint8_t *key __attribute__((unused)),
    const uint8_t *nonce __attribute__((unused)),
    const uint8_t *data __attribute__((unused)),
    size_t data_size __attribute__((unused)),
    const uint8_t *input __attribute__((unused)),
    uint8_t *output __attribute__((unused)),
    size_t size __attribute__((unused)), uint8_t *tag __attribute__((unused)),
    uint32_t opening __attribute__((unused))) {
"""

LOW = ("a0", "a1", "a2", "a3", "a4")
HIGH = ("a5", "a6", "a7", "t0", "t1")
P, Q, R, S = "t2", "t3", "t4", "t5"
CONSTANT, LAST = "t6", "s0"
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
COMPLEMENTS = (1, 3)

ALL_ROUNDS = 12
STEP = 0xF
"""From a round's constant to the next one, downwards."""
BLOCK_ROUNDS = 8
BLOCK = 16
FIRST_WORD = 0x00001000808C0001
"""What names key, rate and rounds (4.1.1)."""

SAVED = ("ra", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7")
INPUT, OUTPUT, LEFT, KEPT, OTHER, BYTE, BACK = SAVED[2:]

# Places on the stack: the last bytes of a string, arguments, saved registers.
BYTES = 0
KEY, MESSAGE_PLACES, TAG = 16, 20, 32
SAVED_AT = 36
FRAME = 80
OPENING = FRAME

# Labels.
ROUND, STRING, LOAD, STORE = 1, 2, 3, 4
UNALIGNED_INPUT, UNALIGNED_OUTPUT, LOADED, STORED = 10, 11, 12, 13


def constant(number: int) -> int:
    """Return what a round adds to word 2 (3.2)."""
    return (0xF - number) << 4 | number


def substitution(x: tuple[str, ...]) -> list[str]:
    """Return the S-boxes of one half of the state; x1 and x3 are complements."""
    x0, x1, x2, x3, x4 = x
    return [
        f"xor {P}, {x1}, {x2}",
        f"xor {Q}, {x3}, {x4}",
        f"not {S}, {Q}",
        f"or {S}, {S}, {x0}",
        f"xor {x0}, {x0}, {x4}",
        f"and {R}, {x3}, {x4}",
        f"and {x3}, {x3}, {P}",
        f"or {x4}, {x1}, {x0}",
        f"xor {x4}, {x4}, {Q}",
        f"and {x1}, {x1}, {x2}",
        f"xor {x1}, {x1}, {x0}",
        f"xor {x0}, {x4}, {x1}",
        f"xor {x1}, {x1}, {x2}",
        f"xor {x1}, {x1}, {x3}",
        f"xor {x2}, {R}, {P}",
        f"xor {x3}, {S}, {P}",
    ]


def diffusion(n: int) -> list[str]:
    """Return the linear layer for word n."""
    low, high = LOW[n], HIGH[n]
    lines = []
    # What the low half gives to the high one, before it is overwritten.
    kept = (R, S)
    for count, to in zip(ROTATIONS[n], kept, strict=True):
        lines.append(f"{crossing(count)} {to}, {low}, {moved(count, crossing(count))}")
    lines += [f"{own(c)} {t}, {low}, {moved(c, own(c))}" for c, t in both(n, (P, Q))]
    lines += [f"xor {low}, {low}, {P}", f"xor {low}, {low}, {Q}"]
    for count in ROTATIONS[n]:
        lines.append(f"{crossing(count)} {P}, {high}, {moved(count, crossing(count))}")
        lines.append(f"xor {low}, {low}, {P}")
    lines += [f"{own(c)} {t}, {high}, {moved(c, own(c))}" for c, t in both(n, (P, Q))]
    return [*lines, *(f"xor {high}, {high}, {t}" for t in (P, Q, R, S))]


def both(n: int, registers: tuple[str, str]) -> zip[tuple[int, str]]:
    """Return the two counts of word n, each with a register."""
    return zip(ROTATIONS[n], registers, strict=True)


def own(count: int) -> str:
    """Return the shift that leaves bits in their half when a word is rotated."""
    return "srli" if count < WORD else "slli"


def crossing(count: int) -> str:
    """Return the shift that takes bits to the other half."""
    return "slli" if count < WORD else "srli"


def moved(count: int, shift: str) -> int:
    """Return by how many bits a shift of a rotation moves."""
    return count % WORD if shift == "srli" else WORD - count % WORD


def one_round() -> list[str]:
    """Return a round."""
    lines = ["/* A round: its constant. */", f"xor {LOW[2]}, {LOW[2]}, {CONSTANT}"]
    lines.append(f"addi {CONSTANT}, {CONSTANT}, {-STEP}")
    lines += ["/* The S-boxes of low halves. */", *substitution(LOW)]
    lines += ["/* The S-boxes of high halves. */", *substitution(HIGH)]
    for n in range(5):
        lines += [f"/* The diffusion of word {n}. */", *diffusion(n)]
    return lines


def rounds() -> list[str]:
    """Return the rounds up to the last, two a turn; t6 has the first constant."""
    head = ["/* Rounds up to the last, two a turn. */", ".balign 4", f"{ROUND}:"]
    return [
        *head,
        *one_round(),
        *one_round(),
        f"bne {CONSTANT}, {LAST}, {ROUND}b",
        "ret",
    ]


def permute(number: int) -> list[str]:
    """Return the last rounds, as many as said."""
    return [f"li {CONSTANT}, {constant(ALL_ROUNDS - number)}", f"jal {ROUND}f"]


WORDS = (Q, R, S, CONSTANT)
"""What a block of bytes is loaded to, and stored from."""


def aligned(place: str, otherwise: int) -> list[str]:
    """Return the branch to a label where a place is not aligned to words."""
    return [f"andi {BYTE}, {place}, 3", f"bnez {BYTE}, {otherwise}f"]


def load_block() -> list[str]:
    """Return the load of the 16 bytes at t2."""
    lines = ["/* 16 bytes from t2 on, to t3 to t6. */", f"{LOAD}:", *aligned(P, 5)]
    lines += [*load(WORDS, P), "ret", "5:"]
    for n, word in enumerate(WORDS):
        lines.append(f"lbu {word}, {4 * n}({P})")
        for i in range(1, 4):
            lines += [f"lbu {BYTE}, {4 * n + i}({P})", f"slli {BYTE}, {BYTE}, {8 * i}"]
            lines.append(f"or {word}, {word}, {BYTE}")
    return [*lines, "ret"]


def store_block() -> list[str]:
    """Return the store of 16 bytes at t2."""
    lines = ["/* t3 to t6 to the 16 bytes from t2 on. */", f"{STORE}:", *aligned(P, 5)]
    lines += [*store(WORDS, P), "ret", "5:"]
    for n, word in enumerate(WORDS):
        for i in range(4):
            lines += [f"srli {word}, {word}, 8"] if i else []
            lines.append(f"sb {word}, {4 * n + i}({P})")
    return [*lines, "ret"]


def halves(first: int) -> list[tuple[int, str]]:
    """Return the halves of two words, each with the number of its word."""
    return [(n, half[n]) for n in (first, first + 1) for half in (LOW, HIGH)]


def set_block(first: int) -> list[str]:
    """Return the words of a block in the place of two of the state."""
    return [
        f"{'not' if n in COMPLEMENTS else 'mv'} {half}, {word}"
        for (n, half), word in zip(halves(first), WORDS, strict=True)
    ]


def get_block(first: int) -> list[str]:
    """Return two words of the state in those of a block."""
    return [
        f"{'not' if n in COMPLEMENTS else 'mv'} {word}, {half}"
        for (n, half), word in zip(halves(first), WORDS, strict=True)
    ]


def add_key(first: int) -> list[str]:
    """Return the addition of the key to two words."""
    lines = [f"/* The key is added to words {first} and {first + 1}. */"]
    lines += [f"lw {P}, {KEY}(sp)", f"jal {LOAD}f"]
    pairs = zip(halves(first), WORDS, strict=True)
    return [*lines, *(f"xor {half}, {half}, {word}" for (_, half), word in pairs)]


def add_half(n: int, half: str, word: str) -> list[str]:
    """Return the addition of 32 bits to a half of word n, which become the output.

    Of word 1 there are complements, and the half that is kept needs one, too: the
    input becomes it when opening, and the output is one when sealing.
    """
    lines = [f"xor {word}, {word}, {half}", f"and {half}, {half}, {KEPT}"]
    lines.append(f"xor {half}, {half}, {word}")
    if n in COMPLEMENTS:
        before, behind = KEPT, OTHER
        lines = [f"xor {word}, {word}, {before}", *lines]
        lines.append(f"xor {word}, {word}, {behind}")
    return lines


def blocks() -> list[str]:
    """Return the work on the whole blocks of a string."""
    lines = [f"mv {BACK}, ra", "j 7f", "6:"]
    lines += ["/* A block is added; when opening it is what stays. */"]
    lines += [*aligned(INPUT, UNALIGNED_INPUT), *load(WORDS, INPUT), f"{LOADED}:"]
    for (n, half), word in zip(halves(0), WORDS, strict=True):
        lines += add_half(n, half, word)
    lines += [f"addi {INPUT}, {INPUT}, {BLOCK}", f"beqz {OUTPUT}, 9f"]
    lines += [*aligned(OUTPUT, UNALIGNED_OUTPUT), *store(WORDS, OUTPUT), f"{STORED}:"]
    lines += [f"addi {OUTPUT}, {OUTPUT}, {BLOCK}", "9:", *permute(BLOCK_ROUNDS)]
    lines += [f"addi {LEFT}, {LEFT}, -{BLOCK}", "7:", f"li {P}, {BLOCK}"]
    return [*lines, f"bgeu {LEFT}, {P}, 6b"]


def last_bytes() -> list[str]:
    """Return the work on the block that ends a string, with its padding."""
    x0 = LOW[0]
    return [
        "/* The last bytes, then a 1. */",
        f"bnez {LEFT}, 5f",
        f"xori {x0}, {x0}, 1",
        f"jr {BACK}",
        "5:",
        *get_block(0),
        *store(WORDS, "sp", BYTES),
        f"addi {P}, sp, {BYTES}",
        f"add {LEFT}, {LEFT}, {P}",
        "6:",
        f"lbu {Q}, 0({INPUT})",
        f"lbu {R}, 0({P})",
        f"addi {INPUT}, {INPUT}, 1",
        f"xor {Q}, {Q}, {R}",
        f"and {R}, {R}, {KEPT}",
        f"xor {R}, {R}, {Q}",
        f"sb {R}, 0({P})",
        f"addi {P}, {P}, 1",
        f"beqz {OUTPUT}, 7f",
        f"sb {Q}, 0({OUTPUT})",
        f"addi {OUTPUT}, {OUTPUT}, 1",
        "7:",
        f"bne {P}, {LEFT}, 6b",
        f"lbu {Q}, 0({P})",
        f"xori {Q}, {Q}, 1",
        f"sb {Q}, 0({P})",
        *load(WORDS, "sp", BYTES),
        *set_block(0),
        *store(("zero",) * len(WORDS), "sp", BYTES),
        f"jr {BACK}",
    ]


def unaligned() -> list[str]:
    """Return what loads and stores blocks that are not aligned."""
    loads = [f"{UNALIGNED_INPUT}:", f"mv {P}, {INPUT}", f"jal {LOAD}f", f"j {LOADED}b"]
    stores = [
        f"{UNALIGNED_OUTPUT}:",
        f"mv {P}, {OUTPUT}",
        f"jal {STORE}f",
        f"j {STORED}b",
    ]
    return ["/* Blocks that are not aligned. */", *loads, *stores]


def start() -> list[str]:
    """Return the beginning of the function, and the initialisation (4.1.1)."""
    x0_low, x0_high = LOW[0], HIGH[0]
    return [
        f"addi sp, sp, -{FRAME}",
        *store(SAVED, "sp", SAVED_AT),
        f"sw a0, {KEY}(sp)",
        *store(("a4", "a5", "a6", "a7"), "sp", MESSAGE_PLACES),
        f"mv {INPUT}, a2",
        f"mv {LEFT}, a3",
        f"li {LAST}, {constant(ALL_ROUNDS - 1) - STEP}",
        "/* Nonce, key, and what names the cipher. */",
        f"mv {P}, a1",
        f"jal {LOAD}f",
        *set_block(3),
        f"lw {P}, {KEY}(sp)",
        f"jal {LOAD}f",
        *set_block(1),
        f"li {x0_low}, {FIRST_WORD & 0xFFFFFFFF:#x}",
        f"li {x0_high}, {FIRST_WORD >> WORD:#x}",
        *permute(ALL_ROUNDS),
        *add_key(3),
    ]


def strings() -> list[str]:
    """Return the work on associated data and message."""
    x4 = HIGH[4]
    return [
        "/* Associated data, without output, and what separates them. */",
        f"beqz {LEFT}, 5f",
        f"li {OUTPUT}, 0",
        f"li {KEPT}, 0",
        f"li {OTHER}, -1",
        f"jal {STRING}f",
        *permute(BLOCK_ROUNDS),
        "5:",
        f"lui {P}, 0x80000",
        f"xor {x4}, {x4}, {P}",
        "/* The message. */",
        *load((INPUT, OUTPUT, LEFT), "sp", MESSAGE_PLACES),
        f"lw {KEPT}, {OPENING}(sp)",
        f"not {OTHER}, {KEPT}",
        f"jal {STRING}f",
    ]


def finish() -> list[str]:
    """Return the finalisation (4.1.1), and the end of the function."""
    return [
        *add_key(2),
        *permute(ALL_ROUNDS),
        *add_key(3),
        *get_block(3),
        f"lw {P}, {TAG}(sp)",
        f"jal {STORE}f",
        *load(SAVED, "sp", SAVED_AT),
        f"addi sp, sp, {FRAME}",
        "ret",
    ]


def message() -> list[str]:
    """Return a whole message."""
    head = [*start(), *strings(), *finish()]
    string = ["/* A string: its blocks. */", f"{STRING}:"]
    string += [*blocks(), *last_bytes(), *unaligned()]
    return [*head, *string, *rounds(), *load_block(), *store_block()]


if __name__ == "__main__":
    print(
        header("ascon", ("aead/ascon_permutation.h",))
        + IDEA
        + (MESSAGE + body(message())),
        end="\n#endif\n",
    )
