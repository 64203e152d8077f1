# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes ascon_armv7m.c, Ascon in Thumb-2 assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

from thumb import WORD, body, exchange, header

IDEA = """
/* Ascon-p on processors with Thumb-2 (SP 800-232, section 3).
 *
 * The idea: a word of 64 bits is two registers, one with its even bits and one
 * with its odd bits. A rotation of the word is then one of each register (for
 * odd counts they also change places), which instructions do to an operand
 * without taking longer: the linear layer is 20 instructions. The S-boxes are
 * 16 for each half; inversions disappear in ORN and BIC. Ten registers have the
 * state during a whole message; results go where the next step wants them, and
 * nothing is moved.
 *
 * Messages are brought into this form, and back, by five exchanges of bits
 * between two registers: 19 instructions for 64 bits.
 *
 * They leave secrets on the stack and in registers, as the compiler's code
 * does: who calls them wipes both. r4 to r11 are saved and restored. */
"""

ROUNDS = """
/* Rounds of Ascon-p up to the last, two a turn. Even bits in r0, r2, r4, r6,
 * r8, odd bits in r1, r3, r5, r7, r9; r10 is 8 times the number of the first
 * round. Changes r10 to r12. Called by the functions below alone. */
__attribute__((naked, used)) void samara_ascon_armv7m_rounds(void) {
"""

PERMUTE = """
/* r0 state, r1 rounds: an even number. */
__attribute__((naked)) void samara_ascon_armv7m_permute(uint64_t state[5],
                                                        unsigned rounds) {
  (void)state;
  (void)rounds;
"""

BLOCKS = """
/* r0 state, r1 input, output and size, r2 what stays of the state's first two
 * words: ones when opening, zeros when not. These three are on the stack, below
 * the saved registers; then input, output and the size, less a block. */
__attribute__((naked)) void
samara_ascon_armv7m_blocks(uint64_t state[5], samara_ascon_bytes *bytes,
                           uint32_t kept) {
  (void)state;
  (void)bytes;
  (void)kept;
"""

EVEN = ("r0", "r2", "r4", "r6", "r8")
ODD = ("r1", "r3", "r5", "r7", "r9")
FREE, P, Q = "r10", "r11", "r12"
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
SHIFTS = (16, 8, 4, 2, 1)

BLOCK_ROUNDS, ALL_ROUNDS = 8, 12
BLOCK = 16

# Places on the stack while blocks are worked on.
KEPT, INPUT, OUTPUT, LEFT = 8, 12, 16, 20


def substitution(x: tuple[str, ...], to: tuple[str, ...], free: str) -> list[str]:
    """Return the S-boxes of one half of the state, x to `to`.

    The registers of `to` are those of x, or those behind them, of which the last is
    then `free`.
    """
    x0, x1, x2, x3, x4 = x
    y0, y1, y2, y3, y4 = to
    return [
        f"eor {x0}, {x4}",
        f"eor {x4}, {x3}",
        f"eor {x2}, {x1}",
        f"bic {P}, {x1}, {x0}",
        f"orn {Q}, {x4}, {x0}",
        f"bic {free}, {x2}, {x1}",
        f"eor {x0}, {free}",
        f"bic {free}, {x3}, {x2}",
        f"eor {x1}, {free}",
        f"orn {free}, {x3}, {x4}",
        # x3 and x2 are complements from here on: in x2 wanted, in x3 cancelled.
        f"eor {Q}, {x3}",
        f"eor {y2}, {x2}, {free}",
        f"eor {y4}, {x4}, {P}",
        f"eor {y3}, {Q}, {y2}",
        f"eor {y1}, {x1}, {x0}",
        f"eor {y0}, {x0}, {y4}",
    ]


def rotated(even: str, odd: str, count: int) -> tuple[str, str]:
    """Return the operands that are a word rotated: its even and its odd bits."""
    half = count // 2
    if count % 2 == 0:
        return f"{even}, ror #{half}", f"{odd}, ror #{half}"
    other = f"{odd}, ror #{half}" if half else odd
    return other, f"{even}, ror #{half + 1}"


def diffusion(n: int, even: str) -> list[str]:
    """Return the linear layer for word n, whose even bits are in `even`."""
    to, odd = EVEN[n], ODD[n]
    terms = [rotated(even, odd, count) for count in ROTATIONS[n]]
    # The term with its own register first: it is overwritten.
    own = sorted((term[1] for term in terms), key=lambda term: not term.startswith(odd))
    return [
        f"eor {to}, {even}, {terms[0][0]}",
        f"eor {to}, {to}, {terms[1][0]}",
        f"eor {odd}, {odd}, {own[0]}",
        f"eor {odd}, {odd}, {own[1]}",
    ]


def one_round(number: int) -> list[str]:
    """Return a round of a turn; its constant is at LR."""
    moved = (*EVEN[1:], FREE)
    lines = ["/* A round: its constant. */", f"ldrd {P}, {Q}, [lr], #8"]
    if number == 0:
        # Only the last turn has it. No instruction up to the branch sets flags.
        lines.append(f"cmp {Q}, #{halves(constant(ALL_ROUNDS - 2))[1]}")
    lines += [f"eor {EVEN[2]}, {P}", f"eor {ODD[2]}, {Q}"]
    lines += ["/* The S-boxes of even bits. */", *substitution(EVEN, moved, FREE)]
    lines += ["/* The S-boxes of odd bits. */", *substitution(ODD, ODD, EVEN[0])]
    for n in range(5):
        lines += [f"/* The diffusion of word {n}. */", *diffusion(n, moved[n])]
    return lines


def constant(number: int) -> int:
    """Return what a round adds to word 2 (3.2)."""
    return (0xF - number) << 4 | number


def halves(value: int) -> tuple[int, int]:
    """Return the even and the odd bits of a value."""
    even = sum((value >> 2 * i & 1) << i for i in range(WORD))
    odd = sum((value >> (2 * i + 1) & 1) << i for i in range(WORD))
    return even, odd


def rounds() -> list[str]:
    """Return the rounds and their constants."""
    lines = ["push {lr}", "adr lr, 2f", "add lr, r10", "1:"]
    lines += [*one_round(0), *one_round(1)]
    lines += ["bne 1b", "pop {pc}", ".balign 4", "2:"]
    for i in range(ALL_ROUNDS):
        even, odd = halves(constant(i))
        lines += [f".word {even}, {odd}"]
    return lines


def permute() -> list[str]:
    """Return the permutation of a state in memory."""
    return [
        "push {r4-r11, lr}",
        "push {r0}",
        f"rsb r10, r1, #{ALL_ROUNDS}",
        "lsl r10, #3",
        "ldm r0, {r0-r9}",
        "bl samara_ascon_armv7m_rounds",
        "pop {r10}",
        "stm r10, {r0-r9}",
        "pop {r4-r11, pc}",
    ]


def add_word(n: int) -> list[str]:
    """Return the addition of 64 bits to word n, and what is put out."""
    last = n == 1
    lines = [f"/* 64 bits of input for word {n}, even and odd bits apart. */"]
    lines += [f"ldr lr, [sp, #{INPUT}]", f"ldr r10, [lr, #{8 * n}]"]
    lines += [f"ldr r11, [lr, #{8 * n + 4}]"]
    if last:
        lines += [f"add lr, #{BLOCK}", f"str lr, [sp, #{INPUT}]"]
    for shift in SHIFTS:
        lines += exchange("r10", "r11", "lr", shift)
    lines += ["/* They are added; when opening they are what stays. */"]
    lines.append(f"ldr r12, [sp, #{KEPT}]")
    for register, half in (("r10", EVEN[n]), ("r11", ODD[n])):
        lines += [f"eor {register}, {half}", f"and {half}, r12"]
        lines += [f"eor {half}, {register}"]
    lines += [f"ldr r12, [sp, #{OUTPUT}]", "cmp r12, #0", f"beq {2 + n}f"]
    lines.append("/* The output, bits in order again. */")
    for shift in reversed(SHIFTS):
        lines += exchange("r10", "r11", "lr", shift)
    lines += [f"str r10, [r12, #{8 * n}]", f"str r11, [r12, #{8 * n + 4}]"]
    if last:
        lines += [f"add r12, #{BLOCK}", f"str r12, [sp, #{OUTPUT}]"]
    return lines


def blocks() -> list[str]:
    """Return the work on whole blocks."""
    return [
        "push {r4-r11, lr}",
        "ldm r1, {r3-r5}",
        f"sub r5, #{BLOCK}",
        "push {r0-r5}",
        "ldm r0, {r0-r9}",
        "1:",
        *add_word(0),
        "2:",
        *add_word(1),
        "3:",
        f"mov r10, #{8 * (ALL_ROUNDS - BLOCK_ROUNDS)}",
        "bl samara_ascon_armv7m_rounds",
        f"ldr r10, [sp, #{LEFT}]",
        f"subs r10, #{BLOCK}",
        f"str r10, [sp, #{LEFT}]",
        "bhs 1b",
        "pop {r10-r12, lr}",
        "stm r10, {r0-r9}",
        "/* Where the rest of the bytes is, and how many. */",
        "pop {r2, r3}",
        f"and r3, #{BLOCK - 1}",
        "mov r1, lr",
        "stm r11, {r1-r3}",
        "pop {r4-r11, pc}",
    ]


if __name__ == "__main__":
    print(
        header("ascon", ("aead/ascon_words.h",))
        + IDEA
        + (ROUNDS + body(rounds()))
        + (PERMUTE + body(permute()))
        + (BLOCKS + body(blocks())),
        end="\n#endif\n",
    )
