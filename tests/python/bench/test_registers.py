# SPDX-License-Identifier: Apache-2.0
"""Registers of simulated devices, and what of them is taken for a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench_toys import linked_program

from samara.bench import devices, residue, simulators

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Registers that a program may set, and the instruction that sets one.
MSP430 = ({f"r{n}": n - 4 for n in (4, 7, 12, 15)}, "mov #{value}, {name}")
ARM = ({f"r{n}": n for n in (0, 3, 6, 12)}, "ldr r4, ={value}\\n mov {name}, r4")
RISCV = ({"t0": 4, "a0": 9, "a5": 14, "t6": 30}, "li {name}, {value}")
DEVICES = {
    "msp430f1611": (*MSP430, 2, 12),
    "msp430fr5969": (*MSP430, 2, 12),
    "cortex-m0": (*ARM, 4, 13),
    "cortex-m33": (*ARM, 4, 13),
    "ibex": (*RISCV, 4, 31),
    "picorv32": (*RISCV, 4, 31),
}


def registers_after(folder: Path, name: str, assembly: str) -> Sequence[bytes]:
    device = devices.device(name)
    image = linked_program(folder, name, assembly)
    with simulators.start(device, image.path) as simulator:
        for mark in ("start", "stop"):
            until = image.symbols[f"measure_{mark}_seal"]
            simulator.go(until, limit=10**6, floor=0)
        return simulator.registers()


@pytest.mark.parametrize("name", DEVICES)
def test_registers_are_told_in_the_order_of_their_numbers(
    name: str, tmp_path: Path
) -> None:
    places, instruction, width, count = DEVICES[name]
    values = {
        register: 0x0123456789ABCDEF >> 4 * n & 256**width - 1
        for n, register in enumerate(places)
    }
    lines = [instruction.format(name=n, value=value) for n, value in values.items()]
    found = registers_after(tmp_path, name, "\\n".join(lines))
    assert [len(word) for word in found] == [width] * count
    told = {n: int.from_bytes(found[place], "little") for n, place in places.items()}
    assert told == values


def test_an_avr_has_its_registers_in_memory(tmp_path: Path) -> None:
    assert registers_after(tmp_path, "atmega328p", "ldi r24, 7") == ()
    assert devices.device("atmega328p").family.register_bytes > 24


class Twin:
    """What the search knows of a device: what it sent, and how wide registers are."""

    def __init__(self, public: bytes, register_bytes: int) -> None:
        self.public, self.register_bytes = public, register_bytes


@pytest.mark.parametrize(
    ("words", "is_sent"),
    [
        # The third byte of both and its sign above it, or another sign.
        (("98ffffff", "01000000"), [True] * 4),
        (("98000000", "01000000"), [True, False, False, False]),
        (("98ffffff", "01ffffff"), [True, False, False, False]),
        # A third byte beside a second one; a byte of neither.
        (("98ffffff", "22000000"), [False] * 4),
        (("99ffffff", "01000000"), [False] * 4),
    ],
)
def test_a_byte_that_was_sent_is_public_in_a_register(
    words: tuple[str, str], is_sent: Sequence[bool]
) -> None:
    twins = [Twin(b"\x11\x33\x98", 4), Twin(b"\x22\x22\x01", 4)]
    # Behind six bytes of memory and a register.
    memories = [bytes(10) + bytes.fromhex(word) for word in words]
    found = [residue._is_sent(10 + n, twins, memories) for n in range(4)]  # type: ignore[arg-type] # noqa: SLF001
    assert found == is_sent
