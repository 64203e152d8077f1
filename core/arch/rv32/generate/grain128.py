# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes grain128_rv32.c, Grain in RISC-V assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

from riscv import WORD, body, header, load, store

IDEA = """
/* Grain-128, 32 clocks at a time, on RISC-V of 32 bits, with the instructions of
 * RV32I alone.
 *
 * The idea: no tap lies above bit 96, so 32 clocks are logic on words. 32 bits
 * from bit t on are three instructions, and a tap that is only added takes four.
 * So what has its taps at equal places of words is formed where the bits are, and
 * shifted behind that: b61 b65, b78 b82 and b88 b92 are one product of words, b27
 * b59 ^ b91 is logic on whole words, and s38 ^ s70 one sum.
 *
 * They leave secrets on the stack and in registers, as the compiler's code
 * does: who calls them wipes both. s0 to s3 are saved and restored. */
"""

NEXT = """
/* 32 clocks. a0 generator; the pre-output is in a0. NFSR in a1 to a4 and its next
 * word in t0, LFSR in a5 to a7 and t1, the pre-output in t2, b95 in t3. */
__attribute__((naked)) uint32_t
samara_grain128_next(samara_grain128 *generator __attribute__((unused))) {
"""

AUTHENTICATE = """
/* Authenticates a1; a2 enters the register. a0 accumulator, two words, and the
 * register, two words.
 *
 * Bit i of a1 adds the 64 bits from bit i on of the register, with a2 behind it.
 * They move down by four bits at a time: a sum for each i modulo 4, of three
 * words, is moved by the rest in the end. So a bit takes nine instructions. */
__attribute__((naked)) void samara_grain128aead_rv32_authenticate(
    uint32_t *accumulator __attribute__((unused)),
    uint32_t bits __attribute__((unused)),
    uint32_t fresh __attribute__((unused))) {
"""

NFSR = ("a1", "a2", "a3", "a4")
LFSR = ("a5", "a6", "a7", "t1")
F, Y, B95 = "t0", "t2", "t3"
P, Q, R = "t4", "t5", "t6"


def shifted(to: str, low: str, high: str, shift: int, other: str) -> list[str]:
    """Return 32 bits of two words, from bit `shift` of the first on, by `other`."""
    return [
        f"srli {to}, {low}, {shift}",
        f"slli {other}, {high}, {WORD - shift}",
        f"or {to}, {to}, {other}",
    ]


def add_shifted(to: str, low: str, high: str, shift: int, other: str) -> list[str]:
    """Return the addition of 32 bits of two words."""
    return [
        f"srli {other}, {low}, {shift}",
        f"xor {to}, {to}, {other}",
        f"slli {other}, {high}, {WORD - shift}",
        f"xor {to}, {to}, {other}",
    ]


def window(to: str, register: tuple[str, ...], bit: int, other: str) -> list[str]:
    """Return the 32 bits of a register of Grain from `bit` on."""
    i, shift = divmod(bit, WORD)
    return shifted(to, register[i], register[i + 1], shift, other)


def add_window(to: str, register: tuple[str, ...], bit: int, other: str) -> list[str]:
    """Return the addition of the 32 bits from `bit` on."""
    i, shift = divmod(bit, WORD)
    if shift == 0:
        return [f"xor {to}, {to}, {register[i]}"]
    return add_shifted(to, register[i], register[i + 1], shift, other)


def product(register: tuple[str, ...], one: int, other: int) -> list[str]:
    """Return the product of two taps in t4."""
    lines = [*window(P, register, one, R), *window(Q, register, other, R)]
    return [*lines, f"and {P}, {P}, {Q}"]


def add_product(to: str, register: tuple[str, ...], one: int, other: int) -> list[str]:
    """Return the addition of the product of two taps."""
    return [*product(register, one, other), f"xor {to}, {to}, {P}"]


def four_apart() -> list[str]:
    """Return the sum of products with taps 4 apart, in F, and b95; uses Y, too."""
    _, b1, b2, b3 = NFSR
    lines = ["/* b68 b84; b61 b65 and what has its taps as far apart. */"]
    lines += [*window(P, NFSR, 68, R), *window(F, NFSR, 84, R), f"and {F}, {F}, {P}"]
    lines += [f"and {P}, {P}, {b2}", f"srli {Q}, {b3}, 4", f"and {Q}, {Q}, {b3}"]
    lines += [f"srli {R}, {b1}, 29", f"srli {Y}, {b2}, 1", f"and {R}, {R}, {Y}"]
    lines += [f"xor {F}, {F}, {R}", f"slli {R}, {P}, 3", f"xor {F}, {F}, {R}"]
    lines += [*shifted(Y, P, Q, 88 - 64, R), *window(B95, NFSR, 93, R)]
    lines += [f"and {Y}, {Y}, {B95}", *window(B95, NFSR, 95, R)]
    lines += [f"and {Y}, {Y}, {B95}", f"xor {F}, {F}, {Y}"]
    lines += [*shifted(P, P, Q, 78 - 64, R), *window(Y, NFSR, 70, R)]
    return [*lines, f"and {P}, {P}, {Y}", f"xor {F}, {F}, {P}"]


def two_apart() -> list[str]:
    """Return the addition of products with taps 2 apart to F; uses Y, too."""
    b0, b1, _, _ = NFSR
    lines = ["/* b11 b13 and b22 b24 b25. */"]
    lines += [*shifted(P, b0, b1, 2, R), f"and {P}, {P}, {b0}"]
    lines += [f"srli {Q}, {b1}, 2", f"and {Q}, {Q}, {b1}"]
    lines += [*add_shifted(F, P, Q, 11, R), *shifted(P, P, Q, 22, R)]
    lines += [*window(Y, NFSR, 25, R), f"and {P}, {P}, {Y}"]
    return [*lines, f"xor {F}, {F}, {P}"]


def nfsr_feedback() -> list[str]:
    """Return F, and b95."""
    b0, b1, b2, b3 = NFSR
    lines = [*four_apart(), *two_apart(), "/* Products alone. */"]
    for one, other in ((17, 18), (40, 48)):
        lines += add_product(F, NFSR, one, other)
    lines += ["/* b3 b67, then b27 b59 ^ b91: whole words apart. */"]
    lines += [f"and {P}, {b0}, {b2}", f"and {Q}, {b1}, {b3}"]
    lines += add_shifted(F, P, Q, 3, R)
    lines += [f"and {P}, {b0}, {b1}", f"xor {P}, {P}, {b2}"]
    lines += [f"and {Q}, {b1}, {b2}", f"xor {Q}, {Q}, {b3}"]
    lines += [*add_shifted(F, P, Q, 27, R), "/* What is only added. */"]
    for bit in (0, 26, 56, 96):
        lines += add_window(F, NFSR, bit, R)
    return [*lines, f"xor {F}, {F}, {LFSR[0]}"]


def pre_output() -> list[str]:
    """Return the pre-output."""
    lines = [*window(Y, LFSR, 94, R), f"and {Y}, {Y}, {B95}"]
    lines += add_window(Y, LFSR, 8, R)
    lines += [*window(P, NFSR, 12, R), f"and {Y}, {Y}, {P}"]
    lines += [*window(P, LFSR, 42, R), f"and {P}, {P}, {B95}", f"xor {Y}, {Y}, {P}"]
    lines += [*add_product(Y, LFSR, 13, 20), *add_product(Y, LFSR, 60, 79)]
    for bit in (2, 15, 36, 45, 64, 73, 89):
        lines += add_window(Y, NFSR, bit, R)
    return [*lines, *add_window(Y, LFSR, 93, R)]


def lfsr_feedback() -> list[str]:
    """Return L in t4."""
    s0, s1, s2, s3 = LFSR
    lines = [f"xor {P}, {s1}, {s2}", f"srli {P}, {P}, 6"]
    lines += [f"xor {Q}, {s2}, {s3}", f"slli {Q}, {Q}, 26", f"xor {P}, {P}, {Q}"]
    lines += [f"xor {P}, {P}, {s0}", f"xor {P}, {P}, {s3}"]
    return [*lines, *add_window(P, LFSR, 7, R), *add_window(P, LFSR, 81, R)]


def clocks() -> list[str]:
    """Return 32 clocks."""
    return [
        *load((*NFSR, *LFSR), "a0"),
        "/* F, the feedback of the NFSR, 32 clocks of it. */",
        *nfsr_feedback(),
        "/* The pre-output. */",
        *pre_output(),
        "/* L, the feedback of the LFSR. */",
        *lfsr_feedback(),
        *store((*NFSR[1:], F, *LFSR[1:], P), "a0"),
        f"mv a0, {Y}",
        "ret",
    ]


BITS, FRESH, LOW, HIGH = "a1", "a2", "a3", "a4"
SUMS_LOW = ("a5", "a6", "a7", "t0")
SUMS_HIGH = ("t1", "t2", "t3", "t4")
# Of the first, nothing is wanted.
SUMS_FRESH = ("", "s0", "s1", "s2")
MASK, OTHER = "t5", "t6"
LEFT = "s3"
AUTHENTICATE_FRAME = 16
STEP = 4
STEPS_A_TURN = 2


def add_masked(first: int) -> list[str]:
    """Return the addition of what bits from `first` on select, and the move."""
    lines = []
    for n in range(STEP):
        lines += [f"slli {MASK}, {BITS}, {WORD - 1 - first - n}"]
        lines += [f"srai {MASK}, {MASK}, {WORD - 1}"]
        for word, sums in ((LOW, SUMS_LOW), (HIGH, SUMS_HIGH)):
            lines += [f"and {OTHER}, {MASK}, {word}"]
            lines += [f"xor {sums[n]}, {sums[n]}, {OTHER}"]
        if n:
            lines += [f"and {MASK}, {MASK}, {FRESH}"]
            lines += [f"xor {SUMS_FRESH[n]}, {SUMS_FRESH[n]}, {MASK}"]
    for word, above in ((LOW, HIGH), (HIGH, FRESH)):
        lines += [f"srli {word}, {word}, {STEP}"]
        lines += [f"slli {OTHER}, {above}, {WORD - STEP}"]
        lines += [f"or {word}, {word}, {OTHER}"]
    return [*lines, f"srli {FRESH}, {FRESH}, {STEP}"]


def authenticate() -> list[str]:
    """Return the authentication of a word."""
    saved = (*SUMS_FRESH[1:], LEFT)
    sums = (*SUMS_LOW, *SUMS_HIGH, *SUMS_FRESH[1:])
    lines = [f"addi sp, sp, -{AUTHENTICATE_FRAME}", *store(saved, "sp")]
    lines += [*load((LOW, HIGH), "a0", 8), *(f"li {name}, 0" for name in sums)]
    lines += [f"li {LEFT}, {WORD // (STEP * STEPS_A_TURN)}", ".balign 4", "1:"]
    lines += ["/* Four bits, and the move. */", *add_masked(0)]
    lines += ["/* Four more. */", *add_masked(STEP)]
    lines += [f"srli {BITS}, {BITS}, {STEP * STEPS_A_TURN}"]
    lines += [f"addi {LEFT}, {LEFT}, -1", f"bnez {LEFT}, 1b"]
    lines += ["/* The register, which has moved by a word. */"]
    lines += [*store((LOW, HIGH), "a0", 8), "/* The sums. */"]
    lines += load((LOW, HIGH), "a0")
    for word, first, above in (
        (LOW, SUMS_LOW, SUMS_HIGH),
        (HIGH, SUMS_HIGH, SUMS_FRESH),
    ):
        lines += [f"xor {word}, {word}, {first[0]}"]
        for n in range(1, STEP):
            lines += add_shifted(word, first[n], above[n], n, OTHER)
    lines += [*store((LOW, HIGH), "a0"), *load(saved, "sp")]
    return [*lines, f"addi sp, sp, {AUTHENTICATE_FRAME}", "ret"]


if __name__ == "__main__":
    print(
        header("grain128", ("aead/grain128aead_word.h", "stream/grain128_generator.h"))
        + IDEA
        + (NEXT + body(clocks()))
        + (AUTHENTICATE + body(authenticate())),
        end="\n#endif\n",
    )
