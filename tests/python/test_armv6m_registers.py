# SPDX-License-Identifier: Apache-2.0
"""Thumb assembly of Cortex-M0: the registers of the procedure call standard."""

import random
import struct

import assembly_programs
import pytest
from assembly_programs import CORE

from samara.bench import devices, images, simulators

SOURCE = CORE / "arch" / "armv6m" / "ascon_armv6m.c"

# r4 to r11 and the stack belong to the caller (AAPCS32, 6.1.1). The call has what
# `before` has in them; `after` takes them and the stack pointer behind the call.
_PROGRAM = """
#include <stdint.h>
uint32_t before[8], after[8], stack[2], rounds;
uint64_t state[5];
void samara_ascon_armv6m_permute(uint64_t state[5], unsigned rounds);
__attribute__((naked)) static void call(void) {
  __asm__(".syntax unified\\n"
          "push {r4-r7, lr}\\n mov r4, r8\\n mov r5, r9\\n mov r6, r10\\n"
          "mov r7, r11\\n push {r4-r7}\\n"
          "ldr r0, =stack\\n mov r1, sp\\n str r1, [r0]\\n"
          "ldr r0, =before\\n adds r0, #16\\n ldmia r0!, {r4-r7}\\n"
          "mov r8, r4\\n mov r9, r5\\n mov r10, r6\\n mov r11, r7\\n"
          "subs r0, #32\\n ldmia r0!, {r4-r7}\\n"
          "ldr r0, =rounds\\n ldr r1, [r0]\\n ldr r0, =state\\n"
          "bl samara_ascon_armv6m_permute\\n"
          "ldr r0, =after\\n stmia r0!, {r4-r7}\\n"
          "mov r4, r8\\n mov r5, r9\\n mov r6, r10\\n mov r7, r11\\n"
          "stmia r0!, {r4-r7}\\n"
          "ldr r0, =stack\\n mov r1, sp\\n str r1, [r0, #4]\\n"
          "ldr r0, [r0]\\n mov sp, r0\\n pop {r4-r7}\\n"
          "mov r8, r4\\n mov r9, r5\\n mov r10, r6\\n mov r11, r7\\n"
          "pop {r4-r7, pc}\\n .ltorg");
}
int main(void) {
  __asm__ __volatile__(".global ready\\n ready: nop" : : : "memory");
  call();
  __asm__ __volatile__(".global done\\n done: nop" : : : "memory");
}
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> images.Image:
    folder = tmp_path_factory.mktemp("armv6m")
    return assembly_programs.linked(folder, "cortex-m0", _PROGRAM, [SOURCE])


_TURNS = 4


@pytest.mark.parametrize("rounds", [2, 8, 12])
def test_the_registers_of_the_caller_are_kept(image: images.Image, rounds: int) -> None:
    # Several times: a register that is changed may be as it was by chance.
    for turn in range(_TURNS):
        _check_registers(image, rounds, random.Random(f"{rounds} {turn}"))  # noqa: S311 - any registers


def _check_registers(image: images.Image, rounds: int, chance: random.Random) -> None:
    device = devices.device("cortex-m0")
    symbols = image.symbols
    state, registers = chance.randbytes(40), chance.randbytes(32)
    with simulators.start(device, image.path) as simulator:
        simulator.go(symbols["ready"], limit=1_000_000, floor=0)
        simulator.write(symbols["state"], state)
        simulator.write(symbols["before"], registers)
        simulator.write(symbols["rounds"], struct.pack("<I", rounds))
        simulator.go(symbols["done"], limit=1_000_000, floor=0)
        assert simulator.read(symbols["after"], 32) == registers
        before, after = struct.unpack("<2I", simulator.read(symbols["stack"], 8))
        assert before == after
        assert simulator.read(symbols["state"], 40) != state
