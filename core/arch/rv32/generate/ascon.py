# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes ascon_rv32.c, Ascon in RISC-V assembly, to standard output.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

from riscv import WORD, body, header, load, store

IDEA = """
/* Ascon-p on RISC-V of 32 bits (SP 800-232, section 3), with the instructions of
 * RV32I alone.
 *
 * The idea: each word of 64 bits is two registers, its low and its high half, as
 * in memory; RV32I has no rotation, so nothing is won by another form. The
 * S-boxes of a half are 16 instructions and end where they began. They have one
 * inversion, because x1 and x3 are complements during all rounds: the linear
 * layer adds three of a kind, and leaves a complement one. All ten registers
 * have the state during the rounds, two a turn.
 *
 * They leave secrets on the stack and in registers, as the compiler's code
 * does: who calls them wipes both. Of the registers that belong to the caller
 * none is written, but for RA, which is saved and restored. */
"""

PERMUTE = """
/* a0 state, a1 rounds: an even number. The state's place is on the stack. */
__attribute__((naked)) void
samara_ascon_rv32_permute(uint64_t state[5] __attribute__((unused)),
                          unsigned rounds __attribute__((unused))) {
"""

LOW = ("a0", "a1", "a2", "a3", "a4")
HIGH = ("a5", "a6", "a7", "t0", "t1")
P, Q, R, S = "t2", "t3", "t4", "t5"
CONSTANT, LAST = "t6", "ra"
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
COMPLEMENTS = (1, 3)

ALL_ROUNDS = 12
STEP = 0xF
"""From a round's constant to the next one, downwards."""
FRAME = 16
STATE_AT, RETURN_AT = 0, 4


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


def complement() -> list[str]:
    """Return the inversion of the words that are complements during rounds."""
    return [f"not {half[n]}, {half[n]}" for n in COMPLEMENTS for half in (LOW, HIGH)]


def words() -> list[str]:
    """Return the registers of the state in the order of memory."""
    return [half[n] for n in range(5) for half in (LOW, HIGH)]


def loads(base: str) -> list[str]:
    """Return the loads of the state; the register of its place comes last."""
    lines = load(words(), base)
    return sorted(lines, key=lambda line: line.startswith(f"lw {base},"))


def permute() -> list[str]:
    """Return the permutation of a state in memory."""
    return [
        f"addi sp, sp, -{FRAME}",
        f"sw a0, {STATE_AT}(sp)",
        f"sw ra, {RETURN_AT}(sp)",
        "/* Round i, the first one, adds 0xf0 - 15 i: 12 - i are to come. */",
        f"slli {CONSTANT}, a1, 4",
        f"sub {CONSTANT}, {CONSTANT}, a1",
        f"addi {CONSTANT}, {CONSTANT}, {constant(0) - STEP * ALL_ROUNDS}",
        f"li {LAST}, {constant(ALL_ROUNDS - 1) - STEP}",
        *loads("a0"),
        *complement(),
        "1:",
        *one_round(),
        *one_round(),
        f"bne {CONSTANT}, {LAST}, 1b",
        *complement(),
        f"lw {P}, {STATE_AT}(sp)",
        f"lw ra, {RETURN_AT}(sp)",
        f"addi sp, sp, {FRAME}",
        *store(words(), P),
        "ret",
    ]


if __name__ == "__main__":
    print(
        header("ascon", ("aead/ascon_permutation.h",))
        + IDEA
        + (PERMUTE + body(permute())),
        end="\n#endif\n",
    )
