# SPDX-License-Identifier: Apache-2.0
"""Counts of the simulators beside counts by hand, from the manuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench_toys import ONE_OF_EACH, run_program

from samara.bench.simulators import CrashError, mspdebug

if TYPE_CHECKING:
    from pathlib import Path

# Assembly, its cycles, its instructions, the bytes it puts on the stack.
BY_HAND = {
    # 1 + 1 + 2 + 2 + 2 + 2 + 2 + 2 (AVR instruction set manual, ATmega column)
    "atmega328p": (
        (
            r"nop\n ldi r24, 1\n adiw r24, 1\n push r24\n push r24\n"
            r" pop r24\n pop r24\n rjmp .+0"
        ),
        *(14, 8, 2),
    ),
    # 1 + 2 + 3 + 3 + 2 + 2 + 2 (SLAU049, tables 3-14 to 3-16)
    "msp430f1611": (
        (
            r"nop\n mov #0x1234, r12\n push r12\n push r12\n"
            r" pop r12\n pop r12\n jmp 1f\n 1:"
        ),
        *(15, 7, 4),
    ),
    # 1 + 1 + 3 + 3 + 3 (DDI 0337I, table 3-1, pipeline refill 2)
    "cortex-m3": (
        r"nop\n muls r0, r0\n push {r4, r5}\n pop {r4, r5}\n b 1f\n 1:",
        *(11, 5, 8),
    ),
}


@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_cycles_instructions_and_stack_are_those_counted_by_hand(
    device: str, tmp_path: Path
) -> None:
    assembly, cycles, instructions, stack = BY_HAND[device]
    run = run_program(tmp_path, device, assembly)
    assert (run.cycles, run.instructions, run.stack_bytes) == (
        cycles,
        instructions,
        stack,
    )


def test_a_stack_pointer_written_in_halves_is_not_read_in_between(
    tmp_path: Path,
) -> None:
    # 150 times down by 2 bytes and up again, as avr-gcc writes it: wherever the
    # stack begins, the high half changes before the low one at some place.
    step = (
        r"1: {change} r28, 2\n in r0, 0x3f\n cli\n"
        r" out 0x3e, r29\n out 0x3f, r0\n out 0x3d, r28\n dec r24\n brne 1b\n"
    )
    begin = r"ldi r24, 150\n "
    assembly = (
        r"in r28, 0x3d\n in r29, 0x3e\n "
        + begin
        + step.format(change="sbiw")
        + begin
        + step.format(change="adiw")
    )
    assert run_program(tmp_path, "atmega328p", assembly).stack_bytes == 300


@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_marks_cost_nothing(device: str, tmp_path: Path) -> None:
    assert run_program(tmp_path, device, "").cycles == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "loop"),
    [
        ("atmega328p", "rjmp .-2"),
        ("cortex-m3", "1: b 1b"),
        ("msp430f1611", "1: jmp 1b"),
    ],
)
def test_a_loop_without_end_is_stopped(device: str, loop: str, tmp_path: Path) -> None:
    with pytest.raises(CrashError, match="more cycles than the limit"):
        run_program(tmp_path, device, loop)


@pytest.mark.slow
def test_a_processor_that_sleeps_is_not_waited_for(tmp_path: Path) -> None:
    # CPUOFF in the status register.
    with pytest.raises(CrashError, match="does not go on"):
        run_program(tmp_path, "msp430f1611", r"bis #16, r2\n nop")


def test_an_invalid_opcode_is_a_crash(tmp_path: Path) -> None:
    with pytest.raises(CrashError, match=r"(?i)invalid opcode"):
        run_program(tmp_path, "atmega328p", ".word 0x0001")


def test_a_stack_that_reaches_the_data_is_a_crash(tmp_path: Path) -> None:
    with pytest.raises(CrashError, match="stack reached the data"):
        run_program(tmp_path, "atmega328p", r"1: push r0\n rjmp 1b")


@pytest.mark.parametrize("access", ["ldr", "str", "ldrh", "strh"])
@pytest.mark.parametrize("device", ["cortex-m0", "cortex-m0plus", "cortex-m3"])
def test_a_core_without_unaligned_accesses_faults_at_one(
    device: str, access: str, tmp_path: Path
) -> None:
    """ARMv6-M, A3.2.1: every one generates a fault. A Cortex-M3 does these."""
    where = r"sub sp, #8\n mov r1, sp\n add r1, #{}\n"
    for odd in (1, 3) if access.endswith("h") else (1, 2, 3):
        assembly = where.format(odd) + rf" {access} r2, [r1]\n add sp, #8"
        if device == "cortex-m3":
            run_program(tmp_path, device, assembly)
        else:
            with pytest.raises(CrashError, match="where it may not lie"):
                run_program(tmp_path, device, assembly)
    even = where.format(4) + rf" {access} r2, [r1]\n add sp, #8"
    assert run_program(tmp_path, device, even).instructions == 5


# What mspdebug 0.22 of Debian 12 says to `run` and `simio info tracer`.
SAID = """Running. Press Ctrl+C to interrupt...
    ( PC: 04012)  ( R4: 00000)  ( R8: 00000)  (R12: 011ca)  
    ( SP: 038fe)  ( R5: 00000)  ( R9: 00000)  (R13: 011ca)  
    ( SR: 00003)  ( R6: 00000)  (R10: 00000)  (R14: 00000)  
main:
    04012: 1c 42 00 11               MOV     &measure_job_now, R12
(mspdebug) simio info t
Instruction count: 517
MCLK:              1140
SMCLK              1140
ACLK:              4
"""  # noqa: W291 - as it is said


def test_what_mspdebug_says_is_understood() -> None:
    assert mspdebug.registers(SAID) == (0x4012, 0x38FE)
    assert mspdebug.counts(SAID) == (517, 1140)
