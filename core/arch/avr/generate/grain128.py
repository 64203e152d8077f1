# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a program, not a package
"""Writes grain128_avr.c or grain128_small_avr.c, Grain in AVR assembly.

docs/performance.md has the idea, and the commands that make the file.
"""

from __future__ import annotations

import sys

from emit import quoted
from grain128_words import (
    ACCUMULATOR,
    BLOCK,
    EVEN,
    LFSR,
    NFSR,
    ODD,
    REGISTER,
    USED,
    Registers,
    Words,
    load,
    right,
    store,
)

NAME = sys.argv[1]
"""The file: grain128 or grain128_small."""

SMALL = NAME == "grain128_small"
STATE = ODD if SMALL else EVEN + BLOCK
DEPTH = 32 if SMALL else 112  # bytes of stack that the work takes, below the state
AUTHENTICATION, OVERLAP = 0xFF, 0xF9  # -1 and -7

SAVED = [*(f"r{n}" for n in range(2, 18)), "r28", "r29"]
ENTER = [f"push {name}" for name in SAVED]
LEAVE = ["clr r1", *(f"pop {name}" for name in reversed(SAVED)), "ret"]


def load_key_and_nonce() -> list[str]:
    """Return the loading of the generator at Y: r25:r24 key, r19:r18 nonce."""
    lines = ["movw r30, r28", "movw r26, r24", "ldi r20, 16", "1:", "ld r0, X+"]
    lines += ["st Z+, r0", "dec r20", "brne 1b", "movw r26, r18", "ldi r20, 12"]
    lines += ["2:", "ld r0, X+", "st Z+, r0", "dec r20", "brne 2b"]
    return [*lines, "ldi r18, 0xff", *["st Z+, r18"] * 3, "ldi r18, 0x7f", "st Z, r18"]


def add_words(word: Registers) -> list[str]:
    """Return routines: 5 loads a word from X, 6 adds it to a register at Z."""
    lines = ["5:", *(f"ld {name}, X+" for name in word), "6:"]
    lines += [f"adiw r30, {16 - len(word)}"]
    for name in word:
        lines += ["ld r19, Z", f"eor r19, {name}", "st Z+, r19"]
    return [*lines, "ret"]


def start() -> list[str]:
    """Return the 384 clocks of the start: Y generator, r25:r24 key, r19:r18 nonce."""
    lines = [*load_key_and_nonce(), "movw r26, r24", "ldi r18, 12"]
    lines += [
        "/* 32 clocks: the pre-output enters both registers. */",
        "3:",
        "push r18",
    ]
    lines += ["push r26", "push r27", "set", "CALL samara_grain128_avr_words"]
    lines += ["movw r30, r28", "rcall 6f", "rcall 6f", "pop r27", "pop r26", "pop r18"]
    lines.append("/* In the last 64 clocks the key enters, too. */")
    lines += ["cpi r18, 3", "brcc 4f", "movw r30, r28", "rcall 5f", "adiw r26, 4"]
    lines += ["rcall 5f", "sbiw r26, 8", "4:", "dec r18", "brne 3b", "ret"]
    return lines + add_words([f"r{n}" for n in range(22, 26)])


def authenticate() -> list[str]:
    """Return the authentication of a block, in words of 4 bytes.

    The text is where the even bits were. The register moves on by 4 bytes in memory.
    """
    a = [f"r{n}" for n in range(2, 10)]
    window = [f"r{n}" for n in range(10, 22)]
    text = [f"r{n}" for n in range(22, 26)]
    lines = [*label("samara_grain128aead_avr_authenticate"), *load(ACCUMULATOR, a)]
    lines += [f"ldi r27, {BLOCK // 4}", "/* A word of the text. */", "1:"]
    lines += [*load(REGISTER, window), *load(EVEN, text), "ldi r26, 8"]
    lines += ["/* A bit of each byte: the window is added where it is 1. */", "2:"]
    for k, byte in enumerate(text):
        for j in range(8):
            lines += [f"sbrc {byte}, 0", f"eor {a[j]}, {window[j + k]}"]
    lines += [*right(window), *(f"lsr {byte}" for byte in text)]
    lines += ["dec r26", "breq 3f", "rjmp 2b", "3:", "adiw r28, 4", "dec r27"]
    lines += ["breq 4f", "rjmp 1b", "4:", f"sbiw r28, {BLOCK}"]
    return [*lines, *store(ACCUMULATOR, a), *store(REGISTER, window[3:11]), "ret"]


def process() -> list[str]:
    """Return the processing of bytes: X input, r23:r22 output, r25:r24 size, r21 way.

    Bit 0 of the way: there is output; bit 1: the output is the message.
    """
    kept = (21, *range(24, 30))
    lines = [
        *label("samara_grain128aead_avr_process"),
        f"ldd r18, Y+{USED}",
        "movw r30, r28",
    ]
    lines += ["add r30, r18", "adc r31, r1", f"adiw r30, {EVEN}", "movw r16, r28"]
    lines += ["movw r28, r22", "mov r18, r16", f"subi r18, {256 - EVEN - BLOCK}"]
    lines += ["rjmp 3f", "/* The next byte; in between a block ends. */", "1:"]
    lines += ["cp r30, r18", "brne 2f", *(f"push r{n}" for n in kept)]
    lines += ["movw r28, r16", "rcall samara_grain128aead_avr_authenticate", "clt"]
    lines += ["CALL samara_grain128_avr_words", "movw r16, r28", "movw r30, r28"]
    lines += [f"adiw r30, {EVEN}", "mov r18, r30", f"subi r18, {256 - BLOCK}"]
    lines += [*(f"pop r{n}" for n in reversed(kept)), "2:", "ld r19, Z", "ld r20, X+"]
    lines += ["eor r19, r20", "sbrc r21, 1", "mov r20, r19", "st Z+, r20"]
    lines += ["sbrc r21, 0", "st Y+, r19", "3:", "sbiw r24, 1", "brcc 1b"]
    lines += ["movw r28, r16", "sub r30, r18", f"subi r30, {256 - BLOCK}"]
    return [*lines, f"std Y+{USED}, r30", "ret"]


def begin() -> list[str]:
    """Return the start: Y state, r25:r24 key, r19:r18 nonce, r15:r14 data's size."""
    lines = [*label("samara_grain128aead_avr_begin"), "push r14", "push r15"]
    lines += ["CALL samara_grain128_avr_start", "movw r30, r28"]
    lines += [f"adiw r30, {ACCUMULATOR}", "ldi r18, 4", "1:"]
    lines += ["push r18", "push r30", "push r31", "set"]
    lines += ["CALL samara_grain128_avr_words", "pop r31", "pop r30", "pop r18"]
    lines += [f"st Z+, r{n}" for n in range(22, 26)]
    lines += ["dec r18", "brne 1b", "clt", "CALL samara_grain128_avr_words"]
    return [*lines, f"std Y+{USED}, r1", "pop r25", "pop r24", *absorb_size()]


def absorb_size() -> list[str]:
    """Return the end of begin: the authentication of r25:r24, in DER.

    The size itself below 128, else 0x80 + the number of its bytes, highest first. They
    are put on the stack; what begins there with r22 bytes is authenticated and removed.
    """
    lines = ["push r24", "ldi r22, 1", "ldi r18, 0x81", "tst r25", "breq 2f"]
    lines += ["push r25", "inc r22", "inc r18", "rjmp 3f", "2:", "sbrs r24, 7"]
    lines += ["rjmp samara_grain128aead_avr_absorb_stack"]
    lines += ["3:", "push r18", "inc r22"]
    lines += ["samara_grain128aead_avr_absorb_stack:", "in r26, 0x3d", "in r27, 0x3e"]
    lines += ["adiw r26, 1", "mov r24, r22", "ldi r25, 0", "ldi r21, 0", "push r22"]
    lines += ["rcall samara_grain128aead_avr_process", "pop r22", "4:", "pop r0"]
    return [*lines, "dec r22", "brne 4b", "ret"]


def finish() -> list[str]:
    """Return the end, of which authenticate is a part: the accumulator is the tag.

    A 1, and zeros up to a block, which need no pre-output.
    """
    lines = [*label("samara_grain128aead_avr_finish"), f"ldd r18, Y+{USED}"]
    lines += [f"cpi r18, {BLOCK}", "brne 1f"]
    lines += ["rcall samara_grain128aead_avr_authenticate", "ldi r18, 0", "1:"]
    lines += ["movw r30, r28", "add r30, r18", "adc r31, r1", f"adiw r30, {EVEN}"]
    lines += ["ldi r19, 1", "2:", "st Z+, r19", "ldi r19, 0", "inc r18"]
    return [*lines, f"cpi r18, {BLOCK}", "brne 2b"]


def add_z(bytes_: int) -> list[str]:
    """Return an addition to Z."""
    return [f"subi r30, {256 - bytes_}", "sbci r31, 255"]


def label(name: str) -> list[str]:
    """Return a label for other functions, which link-time optimisation may part."""
    return [f".global {name}", f"{name}:"]


def saved(*numbers: int) -> list[str]:
    """Return the loading of what registers had at the beginning of a call.

    Arguments: where to, and what, in turn.
    """
    lines = ["movw r30, r28", *add_z(STATE)]
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return lines + [f"ldd r{to}, Z+{29 - n}" for to, n in pairs]


def call() -> list[str]:
    """Return seal and open. r26 has the tag's size, and bit 7 if it is to open.

    r2 to r29 are kept on the stack above the state, for their arguments, too.
    """
    lines = ["ldi r26, 0x08", *label("samara_grain128aead_avr_enter"), "SAVE_ALL"]
    # Output and input must be the same, or not overlap.
    lines += ["movw r30, r22", "sub r30, r12", "sbc r31, r13", "breq 4f", "brcc 3f"]
    lines += [
        "com r31",
        "neg r30",
        "sbci r31, 255",
        "3:",
        "cp r30, r10",
        "cpc r31, r11",
    ]
    lines += ["brcc 4f", f"ldi r18, {OVERLAP}", "rjmp 9f", "4:"]
    lines += [f"ldi r30, {STATE}", "5:", "push r0", "dec r30", "brne 5b"]
    lines += ["in r28, 0x3d", "in r29, 0x3e", "adiw r28, 1"]
    lines += ["rcall samara_grain128aead_avr_begin"]
    lines += [*saved(26, 16, 27, 17, 24, 14, 25, 15), "ldi r21, 0"]
    lines += ["rcall samara_grain128aead_avr_process"]
    lines += saved(26, 12, 27, 13, 24, 10, 25, 11, 22, 22, 23, 23, 20, 26)
    lines += ["ldi r21, 1", "sbrc r20, 7", "ldi r21, 3"]
    lines += ["rcall samara_grain128aead_avr_process"]
    lines += ["rcall samara_grain128aead_avr_finish"]
    lines += saved(21, 26, 26, 20, 27, 21, 24, 10, 25, 11, 22, 22, 23, 23)
    # What seal compares is what it has written.
    lines += ["movw r30, r28", f"adiw r30, {ACCUMULATOR}", "mov r20, r21"]
    lines += ["ldi r18, 0", "andi r20, 15", "breq 6f", "5:", "ld r19, Z+"]
    lines += ["sbrs r21, 7", "st X, r19", "ld r0, X+", "eor r19, r0", "or r18, r19"]
    lines += ["dec r20", "brne 5b", "6:", "tst r18", "breq 8f"]
    lines += [f"ldi r18, {AUTHENTICATION}", "movw r30, r22", "rjmp 7f", "10:"]
    lines += ["st Z+, r1", "7:", "sbiw r24, 1", "brcc 10b"]
    lines += ["8:", "movw r26, r28", f"subi r26, {DEPTH}", "sbci r27, 0"]
    lines += [f"ldi r19, {DEPTH + STATE}", "11:", "st X+, r1", "dec r19", "brne 11b"]
    lines += [
        f"ldi r19, {STATE}",
        "12:",
        "pop r0",
        "dec r19",
        "brne 12b",
        "9:",
        "mov r1, r18",
    ]
    lines += ["RESTORE_ALL", "mov r24, r1", "lsl r1", "sbc r25, r25", "clr r1"]
    return [*lines, "ret"]


# Taps: those of a product in rising order. A tap that is below the one before it
# begins the next product, so that the products are sorted by their first taps.
S = 128  # the LFSR's
TAPS = (
    [[S + 93], [S + 60, S + 79], [S + 13, S + 20], [95, S + 42], [89], [73], [64]],
    [[S + 96], [S + 81], [S + 70], [S + 38], [S + 7], [S]],
    [[S], [96], [91], [88, 92, 93, 95], [70, 78, 82], [68, 84], [61, 65], [56]],
)
TAPS[0].extend([[45], [36], [15], [12, S + 8], [12, 95, S + 94], [2]])
TAPS[2].extend([[40, 48], [27, 59], [26], [22, 24, 25], [17, 18], [11, 13], [3, 67]])
TAPS[2].append([0])


def taps() -> str:
    """Return the table of taps: pre-output, L, F. 24 is added; 0 ends each of them."""
    numbers = []
    for function in TAPS:
        numbers += [24 + tap for product in function for tap in product] + [0]
    return TABLE + ", ".join(map(str, numbers)) + "};\n"


def small_pass() -> list[str]:
    """Return 16 clocks of the generator at Y; the pre-output is in r21:r20.

    r24: the sum, r22: the product, r2 to r4: 24 bits that begin with a tap's byte.
    """
    lines = ["ldi r30, lo8(samara_grain128_avr_taps)"]
    lines += ["ldi r31, hi8(samara_grain128_avr_taps)", "rcall 2f", "movw r20, r24"]
    lines += ["rcall 2f", "movw r6, r24", "rcall 2f", "movw r30, r28", "ldi r18, 30"]
    lines += ["1:", "ldd r0, Z+2", "st Z+, r0", "dec r18", "brne 1b"]
    lines += [*store(NFSR + 14, ["r24", "r25"]), *store(LFSR + 14, ["r6", "r7"]), "ret"]
    lines += ["/* The sum of all products of a function. */"]
    lines += ["2:", "ldi r24, 0", "ldi r25, 0", "lpm r18, Z+"]
    lines += ["/* A product. */", "3:", "ldi r22, 0xff", "ldi r23, 0xff"]
    lines += ["/* A tap: three bytes, shifted by its bit. */"]
    lines += ["4:", "mov r26, r18", *["lsr r26"] * 3, "ldi r27, 0", "add r26, r28"]
    lines += ["adc r27, r29", "ld r4, -X", "ld r3, -X", "ld r2, -X", "mov r19, r18"]
    lines += ["andi r19, 7", "rjmp 6f", "5:", "lsr r4", "ror r3", "ror r2", "6:"]
    lines += ["dec r19", "brpl 5b", "and r22, r2", "and r23, r3", "mov r0, r18"]
    lines += ["lpm r18, Z+", "cp r0, r18", "brcs 4b", "eor r24, r22", "eor r25, r23"]
    return [*lines, "tst r18", "brne 3b", "ret"]


def small_start() -> list[str]:
    """Return the 384 clocks of the start: Y generator, r25:r24 key, r19:r18 nonce."""
    lines = [*load_key_and_nonce(), "movw r10, r24", "ldi r18, 24", "mov r8, r18"]
    lines += ["3:", "CALL samara_grain128_avr_pass", "movw r30, r28", "rcall 6f"]
    lines += ["rcall 6f", "ldi r18, 5", "cp r8, r18", "brcc 4f", "movw r26, r10"]
    lines += ["movw r30, r28", "rcall 5f", "adiw r26, 6", "rcall 5f", "sbiw r26, 8"]
    lines += ["movw r10, r26", "4:", "dec r8", "brne 3b", "ret"]
    return lines + add_words(("r20", "r21"))


def small_begin() -> list[str]:
    """Return the start: Y state, r25:r24 key, r19:r18 nonce, r15:r14 data's size."""
    lines = [*label("samara_grain128aead_avr_begin"), "CALL samara_grain128_avr_start"]
    lines += ["movw r30, r28", f"adiw r30, {ACCUMULATOR}", "movw r12, r30"]
    lines += ["ldi r18, 8", "mov r8, r18", "/* Accumulator and register. */", "1:"]
    lines += ["CALL samara_grain128_avr_pass"]
    lines += ["movw r30, r12", "st Z+, r20", "st Z+, r21", "movw r12, r30", "dec r8"]
    return [*lines, "brne 1b", "movw r24, r14", *absorb_size()]


def small_process() -> list[str]:
    """Return the processing of bytes: X input, r23:r22 output, r25:r24 size, r21 way.

    Bit 0 of the way: there is output; bit 1: the output is the message.
    """
    lines = [*label("samara_grain128aead_avr_process"), "movw r8, r26", "movw r10, r22"]
    lines += ["movw r12, r24", "mov r14, r21", "rjmp 5f", "1:"]
    lines += ["/* A byte: even and odd bits of a pass apart. */"]
    lines += ["CALL samara_grain128_avr_pass", "ldi r18, 8", "2:"]
    for half in ("r22", "r23"):
        lines += ["lsr r21", "ror r20", f"ror {half}"]
    lines += ["dec r18", "brne 2b", "movw r26, r8", "ld r20, X+", "movw r8, r26"]
    lines += ["eor r22, r20", "sbrc r14, 1", "mov r20, r22", "movw r26, r10"]
    lines += ["sbrc r14, 0", "st X+, r22", "movw r10, r26", "ldi r18, 8"]
    # r20 is authenticated, bit by bit: the register is added under a mask.
    lines += ["3:", "lsr r20", "sbc r19, r19", "movw r30, r28"]
    lines += [f"adiw r30, {ACCUMULATOR + 8}", "ldi r21, 8", "lsr r23"]
    lines += ["4:", "ld r22, -Z", "ldd r24, Z+8", "mov r25, r24", "ror r24"]
    lines += ["std Z+8, r24", "and r25, r19", "eor r22, r25", "st Z, r22", "dec r21"]
    lines += ["brne 4b", "dec r18", "brne 3b", "5:", "movw r24, r12", "sbiw r24, 1"]
    return [*lines, "movw r12, r24", "brcc 1b", "ret"]


def small_finish() -> list[str]:
    """Return the end, a 1 and seven zeros; the accumulator is the tag."""
    lines = [
        *label("samara_grain128aead_avr_finish"),
        "ldi r18, 1",
        "push r18",
        "ldi r22, 1",
    ]
    return [*lines, "rjmp samara_grain128aead_avr_absorb_stack"]


def small() -> str:
    """Return all functions of the variant that reads the taps from a table."""
    name = "samara_grain128_avr_pass"
    word = [*ENTER, "movw r28, r24", f"CALL {name}", "push r20", "push r21"]
    word += [f"CALL {name}", "movw r24, r20", "pop r23", "pop r22", *LEAVE]
    text = taps() + NEXT + assembly(word)
    text += CLOCKS + assembly(small_pass())
    text += INIT + assembly(init()) + START + assembly(small_start())
    work = [*call(), *small_begin(), *small_process(), *small_finish()]
    return text + CALLS + assembly(work) + parts()


def next_word() -> list[str]:
    """Return samara_grain128_next."""
    lines = [*ENTER, "movw r28, r24", "set", "CALL samara_grain128_avr_words"]
    return [*lines, *LEAVE]


def init() -> list[str]:
    """Return samara_grain128_init."""
    lines = [*ENTER, "movw r28, r24", "movw r24, r22", "movw r18, r20"]
    lines += ["CALL samara_grain128_avr_start"]
    return [*lines, *LEAVE]


HEADER = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated by core/arch/avr/generate/grain128.py: do not edit. */
#include "arch/avr/grain128aead_avr.h"
#include "stream/grain128_generator.h"

#if %s

%s
 *
 * The functions of C keep the caller's registers; r1 is zero at their end. Those
 * named samara_..._avr_ begin, process, words and so on have the state at Y,
 * which they keep, and may change all other registers but r1.
 *
 * What they leave on the stack is wiped by who calls them; seal and open, which
 * wipe it themselves, leave nothing, in registers neither. */
"""

IDEA_LARGE = """\
/* Grain-128 on an AVR, 32 clocks at a time (fast) or 16, with a multiplier
 * (balanced); the two differ in samara_grain128_avr_words alone.
 *
 * The idea: terms are added to one sum in the order of the bit of a byte that
 * their taps begin with, and the sum is shifted by one bit in between (Horner's
 * rule): all windows of a function cost at most seven shifts. Products are
 * shifted only to where their factors meet. One register of Grain is in r2 to
 * r17. It is the LFSR's for a block of 8 bytes: what the pre-output and F need
 * of it goes on the stack, where the NFSR's passes read it with X.
 *
 * Even and odd bits are told apart by exchanging the byte's bit of the index
 * with each of the others. The authenticator adds four words that are a byte
 * apart for each shift of the window. */"""

IDEA_SMALL = """\
/* Grain-128 on an AVR in few bytes.
 *
 * The idea: an interpreter reads the three functions from a table of taps, 16
 * clocks at a time. The taps of a product rise; one that is lower than the one
 * before it begins the next product. A tap's byte and bit are one number. */"""

NEXT = """
/* r25:r24 generator; the pre-output is in r25:r22. */
__attribute__((naked)) uint32_t
samara_grain128_next(samara_grain128 *generator) {
  (void)generator;
"""

INIT = """
/* r25:r24 generator, r23:r22 key, r21:r20 nonce. */
__attribute__((naked)) void
samara_grain128_init(samara_grain128 *generator,
                     const uint8_t key[samara_grain128_key_size],
                     const uint8_t nonce[samara_grain128_nonce_size]) {
  (void)generator;
  (void)key;
  (void)nonce;
"""

WORDS = """
/* T set: 32 clocks; the pre-output is in r25:r22. T clear: 128 clocks, the even
 * bits of the pre-output to bytes 58 to 65 of the state, the odd ones to 50 to
 * 57. */
void samara_grain128_avr_words(void);
__attribute__((naked, used)) void samara_grain128_avr_words(void) {
"""

CLOCKS = """
/* 16 clocks; the pre-output is in r21:r20. r5 and r8 to r17 are kept. */
void samara_grain128_avr_pass(void);
__attribute__((naked, used)) void samara_grain128_avr_pass(void) {
"""

TABLE = """
/* The taps of the pre-output, L and F, plus 24, those of the LFSR plus 128 more;
 * each ends with 0. */
extern const uint8_t samara_grain128_avr_taps[];
__attribute__((used)) const uint8_t samara_grain128_avr_taps[] SAMARA_FLASH = {"""

START = """
/* The 384 clocks of the start. r25:r24 key, r19:r18 nonce. */
void samara_grain128_avr_start(void);
__attribute__((naked, used)) void samara_grain128_avr_start(void) {
"""

CALLS = """
/* seal, open and samara_grain128aead_avr_call: r25:r24 key, r23:r22 output,
 * r21:r20 tag, r19:r18 nonce, r17:r16 associated data and r15:r14 its size,
 * r13:r12 input and r11:r10 its size; r8 tag size. The result is in r25:r24.
 * The state is on the stack, and above it what r2 to r29 had. */
__attribute__((naked, used)) samara_result samara_grain128aead_seal(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *ciphertext,
    uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *message, size_t message_size) {
  (void)key;
  (void)ciphertext;
  (void)tag;
  (void)nonce;
  (void)associated_data;
  (void)associated_data_size;
  (void)message;
  (void)message_size;
"""

OPEN = """
__attribute__((naked)) samara_result samara_grain128aead_open(
    const uint8_t key[samara_grain128aead_key_size], uint8_t *message,
    const uint8_t tag[samara_grain128aead_tag_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *ciphertext, size_t ciphertext_size) {
  (void)key;
  (void)message;
  (void)tag;
  (void)nonce;
  (void)associated_data;
  (void)associated_data_size;
  (void)ciphertext;
  (void)ciphertext_size;
"""

WITH_SIZE = """
__attribute__((naked)) samara_result samara_grain128aead_avr_call(
    const uint8_t *key, uint8_t *output, uint8_t *tag, const uint8_t *nonce,
    const uint8_t *associated_data, size_t associated_data_size,
    const uint8_t *input, size_t input_size, uint8_t tag_size) {
  (void)key;
  (void)output;
  (void)tag;
  (void)nonce;
  (void)associated_data;
  (void)associated_data_size;
  (void)input;
  (void)input_size;
  (void)tag_size;
"""

BEGIN = """
/* r25:r24 state, r23:r22 key, r21:r20 nonce, r19:r18 size. */
__attribute__((naked)) void samara_grain128aead_begin(
    samara_grain128aead *state, const uint8_t key[samara_grain128aead_key_size],
    const uint8_t nonce[samara_grain128aead_nonce_size],
    size_t associated_data_size) {
  (void)state;
  (void)key;
  (void)nonce;
  (void)associated_data_size;
"""

ABSORB = """
/* r25:r24 state, r23:r22 data, r21:r20 size. */
__attribute__((naked)) void
samara_grain128aead_absorb(samara_grain128aead *state, const uint8_t *data,
                           size_t size) {
  (void)state;
  (void)data;
  (void)size;
"""

CRYPT = """
/* r25:r24 state, r23:r22 output, r21:r20 input, r19:r18 size. */
__attribute__((naked)) void
samara_grain128aead_%s(samara_grain128aead *state, uint8_t *output,
                            const uint8_t *input, size_t size) {
  (void)state;
  (void)output;
  (void)input;
  (void)size;
"""

FINISH = """
/* r25:r24 state, r23:r22 tag. */
__attribute__((naked)) void
samara_grain128aead_finish(samara_grain128aead *state,
                           uint8_t tag[samara_grain128aead_tag_size]) {
  (void)state;
  (void)tag;
"""


def assembly(lines: list[str]) -> str:
    """Return instructions as the statement of a C function, and its end."""
    text = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in {"CALL", "JUMP"}:  # a macro, and what it is given
            text.append(f'{word} "{rest}\\n"')
        else:
            text.append(line if line.isupper() else quoted(line))
    return f"  __asm__({chr(10).join(text)});\n}}\n"


def parts() -> str:
    """Return open, and the functions of aead/grain128aead_work.h."""

    def part(*lines: str) -> str:
        return assembly([*ENTER, "movw r28, r24", *lines, *LEAVE])

    process = "CALL samara_grain128aead_avr_process"
    moves: tuple[str, ...] = ("movw r24, r22", "movw r14, r18", "movw r18, r20")
    enter = "JUMP samara_grain128aead_avr_enter"
    text = OPEN + assembly(["ldi r26, 0x88", enter])
    text += WITH_SIZE + assembly(["mov r26, r8", enter])
    text += BEGIN + part(*moves, "CALL samara_grain128aead_avr_begin")
    moves = ("movw r26, r22", "movw r24, r20")
    text += ABSORB + part(*moves, "ldi r21, 0", process)
    moves = ("movw r26, r20", "movw r24, r18")
    for name, way in (("encrypt", 1), ("decrypt", 3)):
        text += CRYPT % name + part(*moves, f"ldi r21, {way}", process)
    lines = ["push r22", "push r23", "CALL samara_grain128aead_avr_finish"]
    lines += ["pop r31", "pop r30"]
    for n in range(8):
        lines += [f"ldd r18, Y+{ACCUMULATOR + n}", "st Z+, r18"]
    return text + FINISH + part(*lines)


def large() -> str:
    """Return all functions of the fast and the balanced variant, told apart by #if."""
    text = NEXT + assembly(next_word())
    text += "\n#if SAMARA_ARCH_AVR_GRAIN == SAMARA_AVR_GRAIN_FAST\n"
    text += WORDS + assembly(Words(4).words())
    text += "\n#else\n" + WORDS + assembly(Words(2).words()) + "\n#endif\n"
    text += INIT + assembly(init()) + START + assembly(start())
    work = [*call(), *begin(), *process(), *finish(), *authenticate()]
    return text + CALLS + assembly(work) + parts()


if __name__ == "__main__":
    chosen = ("SMALL",) if SMALL else ("FAST", "BALANCED")
    wanted = " || ".join(
        f"SAMARA_ARCH_AVR_GRAIN == SAMARA_AVR_GRAIN_{each}" for each in chosen
    )
    print(
        HEADER % (wanted, (IDEA_SMALL if SMALL else IDEA_LARGE).removesuffix(" */"))
        + (small() if SMALL else large()),
        end="\n#endif\n",
    )
