# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes grain128_armv7m.c, Grain in Thumb-2 assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

from thumb import WORD, body, header

IDEA = """
/* Grain-128, 32 clocks at a time, on processors with Thumb-2.
 *
 * The idea: no tap lies above bit 96, so 32 clocks are logic on words. 32 bits
 * from bit t on are two instructions, a shift and one that takes its operand
 * shifted; a tap that is only added takes two, too, and none besides. Products
 * of taps whose distance is equal are formed where the bits are, and shifted
 * behind that: b61 b65, b78 b82 and b88 b92 are one product of words. A call
 * reads the state into registers and writes those that have not left it, and
 * the two new ones, by one instruction: nothing moves.
 *
 * They leave secrets on the stack and in registers, as the compiler's code
 * does: who calls them wipes both. r4 to r11 are saved and restored. */
"""

NEXT = """
/* 32 clocks. r0 generator; the pre-output is in r0. NFSR in r3 to r6 and its
 * next word in r7, LFSR in r8 to r11 and its next word in r12. */
__attribute__((naked)) uint32_t
samara_grain128_next(samara_grain128 *generator) {
  (void)generator;
"""

AUTHENTICATE = """
/* Authenticates r1; r2 enters the register. r0 accumulator, two words, and the
 * register, two words.
 *
 * Bit i of r1 adds the 64 bits from bit i on of the register, with r2 behind
 * it: for each word of the accumulator a sum of words shifted down and a sum of
 * words shifted up. Each of these four sums is the low half of a product
 * without carries, if for the first kind the bits are in reverse order (RBIT).
 * The multiplier makes such products of every fourth bit of its operands: up to
 * 15 ones that meet leave their sum's parity in its place and carry into the
 * three empty places beside it. MUL and MLA take equal time for all operands,
 * which UMULL does not. */
__attribute__((naked)) void
samara_grain128aead_armv7m_authenticate(uint32_t *accumulator, uint32_t bits,
                                        uint32_t fresh) {
  (void)accumulator;
  (void)bits;
  (void)fresh;
"""

NFSR = ("r3", "r4", "r5", "r6", "r7")
LFSR = ("r8", "r9", "r10", "r11", "r12")
F, L, Y = "r7", "r12", "r1"


def shifted(to: str, low: str, high: str, shift: int) -> list[str]:
    """Return 32 bits of two words, from bit `shift` of the first on."""
    return [
        f"lsr {to}, {low}, #{shift}",
        f"orr {to}, {to}, {high}, lsl #{WORD - shift}",
    ]


def add_shifted(to: str, low: str, high: str, shift: int) -> list[str]:
    """Return the addition of 32 bits of two words."""
    return [
        f"eor {to}, {to}, {low}, lsr #{shift}",
        f"eor {to}, {to}, {high}, lsl #{WORD - shift}",
    ]


def window(to: str, register: tuple[str, ...], bit: int) -> list[str]:
    """Return the 32 bits of a register of Grain from `bit` on."""
    i, shift = divmod(bit, WORD)
    return shifted(to, register[i], register[i + 1], shift)


def add_window(to: str, register: tuple[str, ...], bit: int) -> list[str]:
    """Return the addition of the 32 bits from `bit` on."""
    i, shift = divmod(bit, WORD)
    if shift == 0:
        return [f"eor {to}, {register[i]}"]
    return add_shifted(to, register[i], register[i + 1], shift)


def add_product(to: str, register: tuple[str, ...], one: int, other: int) -> list[str]:
    """Return the addition of the product of two taps."""
    lines = [*window("r2", register, one), *window("r12", register, other)]
    return [*lines, "and r2, r12", f"eor {to}, r2"]


def nfsr_feedback() -> list[str]:
    """Return F in r7, and b95 in LR."""
    b0, b1, b2, b3, _ = NFSR
    # Products of taps that are 4 apart, of words 2 and 3 in r2 and r12.
    lines = [*shifted("r2", b2, b3, 4), f"and r2, {b2}", f"and r12, {b3}, {b3}, lsr #4"]
    lines += [f"lsr {F}, {b1}, #29", f"and {F}, {F}, {b2}, lsr #1"]
    lines += [f"eor {F}, {F}, r2, lsl #3"]
    lines += [*shifted("r1", "r2", "r12", 88 - 64), *window("lr", NFSR, 93)]
    lines += ["and r1, lr", *window("lr", NFSR, 95), "and r1, lr", f"eor {F}, r1"]
    lines += [*shifted("r2", "r2", "r12", 78 - 64), *window("r12", NFSR, 70)]
    lines += ["and r2, r12", f"eor {F}, r2"]
    # 2 apart, of words 0 and 1 in r1 and r2.
    lines += [*shifted("r1", b0, b1, 2), f"and r1, {b0}", f"and r2, {b1}, {b1}, lsr #2"]
    lines += [*add_shifted(F, "r1", "r2", 11), *shifted("r1", "r1", "r2", 22)]
    lines += [*window("r2", NFSR, 25), "and r1, r2", f"eor {F}, r1"]
    for one, other in ((17, 18), (40, 48), (68, 84)):
        lines += add_product(F, NFSR, one, other)
    # b3 b67, then b27 b59 + b91: whole words apart.
    lines += [f"and r1, {b0}, {b2}", f"and r2, {b1}, {b3}"]
    lines += add_shifted(F, "r1", "r2", 3)
    lines += [f"and r1, {b0}, {b1}", f"eor r1, {b2}"]
    lines += [f"and r2, {b1}, {b2}", f"eor r2, {b3}"]
    lines += add_shifted(F, "r1", "r2", 27)
    for bit in (0, 26, 56, 96):
        lines += add_window(F, NFSR, bit)
    return [*lines, f"eor {F}, {LFSR[0]}"]


def pre_output() -> list[str]:
    """Return the pre-output, with b95 in LR."""
    lines = [*window(Y, LFSR, 94), f"and {Y}, lr", *add_window(Y, LFSR, 8)]
    lines += [*window("r2", NFSR, 12), f"and {Y}, r2"]
    lines += [*window("r2", LFSR, 42), "and r2, lr", f"eor {Y}, r2"]
    lines += [*add_product(Y, LFSR, 13, 20), *add_product(Y, LFSR, 60, 79)]
    for bit in (2, 15, 36, 45, 64, 73, 89):
        lines += add_window(Y, NFSR, bit)
    return [*lines, *add_window(Y, LFSR, 93)]


def lfsr_feedback() -> list[str]:
    """Return L."""
    lines = [f"eor {L}, {LFSR[0]}, {LFSR[0]}, lsr #7"]
    lines += [f"eor {L}, {L}, {LFSR[1]}, lsl #{WORD - 7}"]
    for bit in (38, 70, 81, 96):
        lines += add_window(L, LFSR, bit)
    return lines


def clocks() -> list[str]:
    """Return 32 clocks."""
    return [
        "push {r4-r11, lr}",
        "ldm r0, {r3-r6, r8-r11}",
        "/* F, the feedback of the NFSR, 32 clocks of it. */",
        *nfsr_feedback(),
        "/* The pre-output. */",
        *pre_output(),
        "/* L, the feedback of the LFSR. */",
        *lfsr_feedback(),
        "stm r0, {r4-r7, r9-r12}",
        f"mov r0, {Y}",
        "pop {r4-r11, pc}",
    ]


CLASSES = range(4)
MASKS = [0x11111111 << n for n in CLASSES]

# Which products of classes are added up, before their sums' parities are. More
# would carry too far: class m of word n and class k meet in up to eight places.
PAIRS = {
    0: (((0, 0), (1, 3)), ((2, 2), (3, 1))),
    1: (((0, 1), (2, 3)), ((1, 0), (3, 2))),
    2: (((0, 2), (3, 3)), ((1, 1), (2, 0))),
    3: (((0, 3), (1, 2)), ((2, 1), (3, 0))),
}


def classes(to: tuple[str, ...], word: str) -> list[str]:
    """Return each fourth bit of a word in registers, beginning with bit 0 to 3."""
    return [f"and {to[n]}, {word}, #{MASKS[n]:#010x}" for n in CLASSES]


def multiply(to: str, word: str) -> list[str]:
    """Return the low half of the product of `word` and the classes in r7 to r10."""
    x, y = ("r3", "r4", "r5", "r6"), ("r7", "r8", "r9", "r10")
    lines = classes(x, word)
    for n in CLASSES:
        z = to if n == 0 else "r11"
        for register, pair in zip((z, "lr"), PAIRS[n], strict=True):
            (i, j), (k, m) = pair
            lines += [f"mul {register}, {x[i]}, {y[j]}"]
            lines += [f"mla {register}, {x[k]}, {y[m]}, {register}"]
        lines += [f"eor {z}, lr", f"and {z}, #{MASKS[n]:#010x}"]
        lines += [f"orr {to}, {z}"] if n else []
    return lines


def authenticate() -> list[str]:
    """Return the authentication of a word."""
    y = ("r7", "r8", "r9", "r10")
    lines = ["push {r4-r11, lr}", *classes(y, "r1")]
    for n in range(2):
        lines.append(f"/* Upper halves of products, word {n}: bits in reverse. */")
        lines += [f"ldr r12, [r0, #{8 + 4 * n}]", "rbit r12, r12"]
        lines += [*multiply("r12", "r12"), "rbit r12, r12"]
        lines += [f"ldr lr, [r0, #{4 * n}]", "eor lr, r12", f"str lr, [r0, #{4 * n}]"]
    lines += ["rbit r1, r1", *classes(y, "r1"), "ldr r1, [r0, #12]"]
    for n, word in enumerate(("r1", "r2")):
        lines.append(f"/* Lower halves of products, word {n}. */")
        lines += [*multiply("r12", word), f"ldr lr, [r0, #{4 * n}]"]
        lines += ["eor lr, lr, r12, lsl #1", f"str lr, [r0, #{4 * n}]"]
    return [*lines, "strd r1, r2, [r0, #8]", "pop {r4-r11, pc}"]


if __name__ == "__main__":
    print(
        header("grain128", ("aead/grain128aead_word.h", "stream/grain128_generator.h"))
        + IDEA
        + (NEXT + body(clocks()))
        + (AUTHENTICATE + body(authenticate())),
        end="\n#endif\n",
    )
