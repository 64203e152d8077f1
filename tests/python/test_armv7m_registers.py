# SPDX-License-Identifier: Apache-2.0
"""Thumb-2 assembly: the registers of the procedure call standard."""

import random
import struct
import subprocess
from pathlib import Path

import pytest

from samara.bench import devices, images, simulators

ROOT = Path(__file__).parents[2]
ARMV7M = ROOT / "core" / "arch" / "armv7m"

# r4 to r11 and the stack belong to the caller (AAPCS32, 6.1.1).
_KEPT = slice(4, 12)
_BUFFER_BYTES = 0x200
# The call number `which`, with the registers of `before`; `after` takes what it
# leaves, then 0 if neither the stack pointer nor the words above it have changed.
_PROGRAM = """
#include <stdint.h>
volatile uint32_t which;
uint32_t before[12], after[13];
uint8_t buffers[4][0x200] __attribute__((aligned(8)));
#define CALL(name) \\
  __attribute__((naked)) static void call_##name(void) { \\
    __asm__("push {r4-r11, lr}\\n sub sp, #12\\n str sp, [sp, #4]\\n" \\
            "ldr r12, =before\\n ldm r12, {r0-r11}\\n" \\
            "str r5, [sp, #8]\\n mov r12, #0\\n str r12, [sp]\\n" \\
            ".global at_" #name "\\n at_" #name ": bl " #name "\\n" \\
            "ldr r12, =after\\n stm r12, {r0-r11}\\n" \\
            "mov r0, sp\\n ldr r1, [sp, #4]\\n sub r0, r1\\n" \\
            "ldr r1, [sp, #8]\\n sub r1, r5\\n orr r0, r1\\n" \\
            "str r0, [r12, #48]\\n" \\
            ".global behind_" #name "\\n behind_" #name ": add sp, #12\\n" \\
            "pop {r4-r11, pc}\\n .ltorg"); \\
  }
"""

_MAIN = """
int main(void) {
  __asm__ __volatile__(".global ready\\n ready: nop" : : : "memory");
  switch (which) {
"""

# Arguments in r0, r1 ...: a string is a buffer's number, a number itself. A fifth
# one, on the stack, is 0.
_FUNCTIONS: dict[str, tuple[str | int, ...]] = {
    "samara_aes_armv7m_encrypt_two": ("0", 10, "1", "2"),
    "samara_aes_armv7m_decrypt_two": ("0", 10, "1", "2"),
    "samara_aes_armv7m_sub_word": (0x12345678,),
    "samara_ascon_armv7m_permute": ("0", 12),
    "samara_ascon_armv7m_blocks": ("0", "3", 0),
    "samara_grain128_next": ("0",),
    "samara_grain128aead_armv7m_authenticate": ("0", 0x12345678, 0x9ABCDEF0),
}
_GENERATED = ("aes", "aes_decrypt", "ascon", "grain128")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> images.Image:
    folder = tmp_path_factory.mktemp("armv7m")
    main = folder / "main.c"
    calls = "".join(f"CALL({name})\n" for name in _FUNCTIONS)
    made = "".join(
        f"  case {n}:\n    call_{name}();\n    break;\n"
        for n, name in enumerate(_FUNCTIONS)
    )
    main.write_text(f"{_PROGRAM}{calls}{_MAIN}{made}  }}\n}}\n")
    device = devices.device("cortex-m3")
    family, core = device.family, ROOT / "core"
    linked = folder / "main.elf"
    assembly = [ARMV7M / f"{name}_armv7m.c" for name in _GENERATED]
    files = [main, family.folder / "start.c", *assembly]
    command = [family.compiler, *device.words(family.flags), "-Os"]
    command += [f"-I{core}", f"-I{core}/include", *map(str, files)]
    command += [*device.words(family.linker_flags), *family.libraries]
    subprocess.run([*command, "-o", str(linked)], check=True)
    return images.read(linked)


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_the_registers_of_the_caller_are_kept(image: images.Image, name: str) -> None:
    device = devices.device("cortex-m3")
    chance = random.Random(name)  # noqa: S311 - any registers
    symbols = image.symbols
    with simulators.start(device, image.path) as simulator:
        simulator.go(symbols["ready"], limit=1_000_000, floor=0)
        registers = list(struct.unpack("<12I", chance.randbytes(48)))
        for n, value in enumerate(_FUNCTIONS[name]):
            place = symbols["buffers"] + _BUFFER_BYTES * int(value)
            registers[n] = place if isinstance(value, str) else value
        simulator.write(symbols["buffers"], chance.randbytes(4 * _BUFFER_BYTES))
        simulator.write(symbols["before"], struct.pack("<12I", *registers))
        # Input, output and size: two blocks and a half, for who asks for them there.
        place = symbols["buffers"]
        described = struct.pack("<3I", place + 0x200, place + 0x400, 40)
        simulator.write(place + 3 * _BUFFER_BYTES, described)
        number = list(_FUNCTIONS).index(name)
        simulator.write(symbols["which"], struct.pack("<I", number))
        simulator.go(symbols[f"behind_{name}"], limit=1_000_000, floor=0)
        after = struct.unpack("<13I", simulator.read(symbols["after"], 52))
    assert list(after[_KEPT]) == registers[_KEPT]
    assert after[12] == 0
