# SPDX-License-Identifier: Apache-2.0
"""Thumb-2 assembly: the registers of the procedure call standard, and wiping."""

import random
import struct

import assembly_programs
import pytest
from assembly_programs import CORE

from samara.bench import devices, images, simulators

ARMV7M = CORE / "arch" / "armv7m"

# r4 to r11 and the stack belong to the caller (AAPCS32, 6.1.1).
_KEPT = slice(4, 12)
_BUFFER_BYTES = 0x200
# The call number `which`, with the registers of `before`; `after` takes what it
# leaves, then 0 if neither the stack pointer nor the words above it have changed.
_PROGRAM = """
#include <stdint.h>
volatile uint32_t which;
uint32_t before[12], after[13], stack;
uint8_t buffers[4][0x200] __attribute__((aligned(8)));
#define CALL(name) \\
  __attribute__((naked)) static void call_##name(void) { \\
    __asm__("push {r4-r11, lr}\\n sub sp, #12\\n str sp, [sp, #4]\\n" \\
            "ldr r12, =before\\n ldm r12, {r0-r11}\\n" \\
            "ldr r12, =stack\\n str sp, [r12]\\n" \\
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
    "samara_armv7m_wipe": ("0", 23),
    "samara_leave": (0x12345678, 50),
    "samara_grain128_next": ("0",),
    "samara_grain128aead_armv7m_authenticate": ("0", 0x12345678, 0x9ABCDEF0),
}
_TURNS = 4
_NAMES = ("aes", "aes_decrypt", "ascon", "bytes", "grain128")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> images.Image:
    calls, cases = assembly_programs.calls_of(list(_FUNCTIONS))
    text = f"{_PROGRAM}{calls}{_MAIN}{cases}  }}\n}}\n"
    assembly = [ARMV7M / f"{name}_armv7m.c" for name in _NAMES]
    return assembly_programs.linked(
        tmp_path_factory.mktemp("armv7m"),
        "cortex-m3",
        text,
        [CORE / "common" / "stack.c", *assembly],
        # The assembler warns of what is deprecated, and a compiler passes that on.
        "-Wa,--fatal-warnings",
    )


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_the_registers_of_the_caller_are_kept(image: images.Image, name: str) -> None:
    # Several times: a register that is changed may be as it was by chance.
    for turn in range(_TURNS):
        _check_registers(image, name, random.Random(f"{name} {turn}"))  # noqa: S311 - any registers


def _check_registers(image: images.Image, name: str, chance: random.Random) -> None:
    symbols = image.symbols
    with _ready(image) as simulator:
        registers = list(struct.unpack("<12I", chance.randbytes(48)))
        for n, value in enumerate(_FUNCTIONS[name]):
            place = symbols["buffers"] + _BUFFER_BYTES * int(value)
            registers[n] = place if isinstance(value, str) else value
        simulator.write(symbols["buffers"], chance.randbytes(4 * _BUFFER_BYTES))
        # Input, output and size: two blocks and a half, for who asks for them there.
        place = symbols["buffers"]
        described = struct.pack("<3I", place + 0x200, place + 0x400, 40)
        simulator.write(place + 3 * _BUFFER_BYTES, described)
        after = _call(image, simulator, name, registers)
    assert list(after[_KEPT]) == registers[_KEPT]
    assert after[12] == 0
    if name == "samara_leave":
        assert after[0] == registers[0]


def _ready(image: images.Image) -> simulators.Simulator:
    simulator = simulators.start(devices.device("cortex-m3"), image.path)
    simulator.go(image.symbols["ready"], limit=1_000_000, floor=0)
    return simulator


def _call(
    image: images.Image,
    simulator: simulators.Simulator,
    name: str,
    registers: list[int],
) -> tuple[int, ...]:
    """Return the registers behind a call, then 0 if the stack is as it was."""
    symbols = image.symbols
    simulator.write(symbols["before"], struct.pack("<12I", *registers))
    number = list(_FUNCTIONS).index(name)
    simulator.write(symbols["which"], struct.pack("<I", number))
    simulator.go(symbols[f"behind_{name}"], limit=1_000_000, floor=0)
    return struct.unpack("<13I", simulator.read(symbols["after"], 52))


@pytest.mark.parametrize("offset", range(4))
@pytest.mark.parametrize("size", [*range(36), 64, 101])
def test_wiping_zeros_these_bytes_and_no_others(
    image: images.Image, size: int, offset: int
) -> None:
    place = image.symbols["buffers"]
    begin = 16 + offset
    with _ready(image) as simulator:
        simulator.write(place, b"\xff" * _BUFFER_BYTES)
        _call(image, simulator, "samara_armv7m_wipe", [place + begin, size] + [0] * 10)
        after = simulator.read(place, _BUFFER_BYTES)
    wanted = bytearray(b"\xff" * _BUFFER_BYTES)
    wanted[begin : begin + size] = bytes(size)
    assert after == bytes(wanted)


@pytest.mark.parametrize("size", [1, 4, 32, 33, 224, 300])
def test_leaving_zeros_the_stack_below(image: images.Image, size: int) -> None:
    symbols = image.symbols
    with _ready(image) as simulator:
        simulator.write(symbols["before"], struct.pack("<12I", 0, size, *[0] * 10))
        which = list(_FUNCTIONS).index("samara_leave")
        simulator.write(symbols["which"], struct.pack("<I", which))
        simulator.go(symbols["at_samara_leave"], limit=1_000_000, floor=0)
        (stack,) = struct.unpack("<I", simulator.read(symbols["stack"], 4))
        simulator.write(stack - 1024, b"\xff" * 1024)
        simulator.go(symbols["behind_samara_leave"], limit=1_000_000, floor=0)
        below = simulator.read(stack - 1024, 1024)
    wiped = len(below) - len(below.rstrip(b"\0"))
    assert size <= wiped < size + 32
    assert set(below[: 1024 - wiped]) == {0xFF}
